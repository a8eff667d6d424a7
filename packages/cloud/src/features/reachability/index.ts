import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import { coreToken, none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { networkOf } from '../../http/request-origin.ts'
import { GuessLimiter, GuessStore } from '../../identity/index.ts'
import type { VerificationStore } from '../auth/index.ts'
import { ReachabilityTests } from './reachability-tests.ts'

const WINDOW_MS = 15 * 60_000

/** Tests that one user starts within the window, so that there are at most as many rows. */
const STARTS_PER_USER = 30

/** Invalid codes that one network reports within the window. */
const INVALID_PER_NETWORK = 30

export interface ReachabilityEndpointDeps {
  readonly tests: ReachabilityTests
  readonly guesses: GuessLimiter
  readonly publicUrl: () => URL
}

const common = { method: 'POST', tags: ['phone'], style: 'coded' } as const

const code = Type.String({ minLength: 1, maxLength: 100 })
/** Codes are in bodies only: logs and histories have addresses. */
const codeBody = Type.Object({ code }, { title: 'ReachabilityCode' })

/** Starts a test: the console shows a phone the address of `/glasses/reach` with the code in the fragment. */
const startTest = ({ tests, guesses, publicUrl }: ReachabilityEndpointDeps) =>
  endpoint({
    ...common,
    url: '/api/reachability-tests',
    summary: 'Start a test whether your phone reaches the cloud',
    auth: coreToken,
    schema: {
      response: {
        200: Type.Object(
          {
            code: Type.String({ description: 'For one report of a phone' }),
            expiresAt: Type.String({ format: 'date-time' }),
            publicUrl: Type.String({
              format: 'uri',
              description: 'The address that the cloud gives to clients',
            }),
          },
          { title: 'ReachabilityTest' },
        ),
      },
    },
    errors: ['TOO_MANY_ATTEMPTS'],
    handler: async ({ caller, reply }) => {
      const limit = { attempts: STARTS_PER_USER, windowMs: WINDOW_MS }
      rejectIf(
        await guesses.attempt({ purpose: 'reachability test', subject: caller.user.id, ...limit }),
        reply,
      )
      const started = await tests.start(caller.user.id)
      return {
        code: started.code,
        expiresAt: new Date(started.expiresAt).toISOString(),
        publicUrl: publicUrl().href,
      }
    },
  })

/** Reports that the phone which was given a code reaches the cloud. */
const reportReached = ({ tests, guesses }: ReachabilityEndpointDeps) =>
  endpoint({
    ...common,
    url: '/api/reachability-tests/report',
    summary: 'Report, with the code of a test, that a phone reaches the cloud',
    auth: none,
    schema: { body: codeBody, response: { 200: Type.Object({ success: Type.Literal(true) }) } },
    errors: ['REACHABILITY_CODE_INVALID', 'TOO_MANY_ATTEMPTS'],
    handler: async ({ body, request, reply }) => {
      const limit = {
        purpose: 'reachability report',
        subject: networkOf(request.ip),
        attempts: INVALID_PER_NETWORK,
        windowMs: WINDOW_MS,
      }
      rejectIf(await guesses.attempt(limit), reply)
      if (!(await tests.report(body.code))) throw fault('REACHABILITY_CODE_INVALID')
      await guesses.uncount(limit)
      return { success: true as const }
    },
  })

/** Returns the result of a test; the page that shows the code asks repeatedly. */
const getResult = ({ tests }: ReachabilityEndpointDeps) =>
  endpoint({
    ...common,
    url: '/api/reachability-tests/result',
    summary: 'Get whether a phone has reported the code of your test',
    auth: coreToken,
    schema: {
      body: codeBody,
      response: {
        200: Type.Object({
          state: Type.Union([Type.Literal('waiting'), Type.Literal('reached'), Type.Literal('ended')], {
            description: '`ended`: the code has expired, or is not one of yours',
          }),
        }),
      },
    },
    errors: [],
    handler: async ({ body, caller }) => ({ state: await tests.state(body.code, caller.user.id) }),
  })

/** The endpoints of the test whether a phone reaches the cloud. */
const reachabilityEndpoints = (deps: ReachabilityEndpointDeps) => [
  startTest(deps),
  reportReached(deps),
  getResult(deps),
]

/** @throws Fault `TOO_MANY_ATTEMPTS` if the client has to wait */
function rejectIf(waitSeconds: number | undefined, reply: FastifyReply): void {
  if (waitSeconds === undefined) return
  void reply.header('retry-after', waitSeconds)
  throw fault('TOO_MANY_ATTEMPTS')
}

export interface ReachabilityDeps {
  readonly db: Database
  readonly secret: string
  readonly verifications: VerificationStore
  readonly publicUrl: () => URL
  /** Epoch ms. */
  readonly now: () => number
}

/** Tests whether a phone reaches the cloud, under `/api/reachability-tests` (ADR 62). */
export function createReachability({ db, secret, verifications, publicUrl, now }: ReachabilityDeps): Feature {
  return {
    name: 'reachability',
    endpoints: reachabilityEndpoints({
      tests: new ReachabilityTests(verifications, now),
      guesses: new GuessLimiter(new GuessStore(db), secret, now),
      publicUrl,
    }),
  }
}
