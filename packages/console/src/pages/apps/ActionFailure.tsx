import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import type { AppAction } from '../../api/app-actions.ts'
import { failedStartQuery } from '../../api/app-log.ts'
import type { App } from '../../api/apps.ts'
import { developerAppsQuery } from '../../api/developer.ts'
import { LinkButton } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { startFailures } from '../../start-failures.ts'
import styles from './ActionFailure.module.css'

const STAGES: Readonly<Record<string, string>> = {
  WEBHOOK: 'Call of the app server',
  CONNECTION: 'Socket of the app',
  AUTHENTICATION: 'API key',
  TIMEOUT: 'Waiting for the app server',
  STOPPED: 'Stopped meanwhile',
  STORE: 'Database',
}

/** Why the server of an app was not reached or refused the start, by the code of the response, for its developers. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing accepts connections at the address of the app server.',
  ENOTFOUND: 'The host of the app server does not exist in DNS.',
  EAI_AGAIN: 'The host of the app server could not be resolved.',
  ECONNRESET: 'The app server closed the connection.',
  UND_ERR_SOCKET: 'The app server closed the connection.',
  EHOSTUNREACH: 'There is no route to the app server.',
  ETIMEDOUT: 'The app server did not accept the connection in time.',
  UND_ERR_CONNECT_TIMEOUT: 'The app server did not accept the connection in time.',
  TIMEOUT: 'The app server did not answer in time.',
  STILL_STOPPING: 'The app was still stopping.',
  FORBIDDEN_ADDRESS: 'The app server has no public address, and this cloud calls public addresses only.',
  NO_ADDRESS: 'The app has no address of a server.',
  ANSWER_TOO_LONG: 'The answer of the app server was too long.',
  NO_CONNECTION: 'The app server answered, but did not open its socket in time.',
  INVALID_API_KEY: 'The app server presented an invalid API key.',
  CERT_HAS_EXPIRED: 'The certificate of the app server has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the app server is signed by itself.',
  SELF_SIGNED_CERT_IN_CHAIN: 'No known authority signed the certificate of the app server.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'No known authority signed the certificate of the app server.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the app server is for another name.',
  ERR_SSL_WRONG_VERSION_NUMBER:
    'The app server does not speak https; its address may have to start with http.',
  APP_NOT_FOUND: 'The app no longer exists.',
  STORE_UNAVAILABLE: 'The cloud could not read the app from its database.',
}

/** The code of a response other than 200, which contains its status. */
const REFUSED = /^REFUSED_(\d{3})$/

/** Stages at which a start fails for reasons of the wearer, not of the app server. */
const STAGES_OF_WEARER = ['HARDWARE_CHECK', 'STOPPED']

export interface ActionFailureProps {
  readonly app: Pick<App, 'packageName' | 'name'>
  readonly action: AppAction | undefined
  readonly error: Error
}

/** Says why an action failed, and what to do: in the words of wearers, or of developers of the app. */
export function ActionFailure({ app, action, error }: ActionFailureProps) {
  if (action !== 'start' || !(error instanceof ApiError))
    return <Notice tone="danger" title={error.message} />
  const { stage, code, status } = error
  if (stage === undefined && status !== 401) return <Notice tone="danger" title={error.message} />
  if (stage === undefined)
    return (
      <Notice tone="danger" title={`${app.name} did not start`}>
        <p>
          No glasses are connected. Connect your phone, or wear simulated glasses, then start the app again.
        </p>
        <LinkButton to="/glasses">Wear simulated glasses</LinkButton>
      </Notice>
    )
  return <StartFailure app={app} stage={stage} code={code ?? stage} message={error.message} />
}

interface StartFailureProps extends Pick<ActionFailureProps, 'app'> {
  readonly stage: string
  readonly code: string
  readonly message: string
}

function StartFailure({ app, stage, code, message }: StartFailureProps) {
  const isOfWearer = STAGES_OF_WEARER.includes(stage)
  const { data: own, isLoading } = useQuery({ ...developerAppsQuery, enabled: !isOfWearer })
  const { packageName, name } = app
  const isOwn = !isOfWearer && own?.some((each) => each.packageName === packageName) === true
  const { data: entry, isLoading: isEntryLoading } = useQuery({
    ...failedStartQuery(packageName, stage, code),
    enabled: isOwn,
  })
  // What is announced does not change afterwards.
  if (isLoading || isEntryLoading) return null
  const params = { packageName }
  const title = `${name} did not start`
  if (!isOwn) {
    const explained = startFailures[stage]
    return (
      <Notice tone="danger" title={title}>
        {explained === undefined ? message : `${explained.reason} ${explained.advice}`}
      </Notice>
    )
  }
  return (
    <Notice tone="danger" title={title}>
      <dl className={styles.facts}>
        <dt>Stage</dt>
        <dd>{STAGES[stage] ?? stage}</dd>
        <dt>Reason</dt>
        <dd>{reasonOf(code)}</dd>
      </dl>
      <div className={styles.links}>
        <LinkButton
          to="/developer/apps/$packageName/log"
          params={params}
          search={entry == null ? { kind: 'error' } : { entry }}
        >
          Open the log
        </LinkButton>
        <LinkButton to="/developer/apps/$packageName/connection" params={params}>
          Test the connection
        </LinkButton>
      </div>
    </Notice>
  )
}

function reasonOf(code: string): string {
  const [, digits] = REFUSED.exec(code) ?? []
  if (digits === undefined) return `${REASONS[code] ?? 'The app server could not be reached.'} (${code})`
  const status = Number(digits)
  const answered = `The app server answered with status ${status}`
  if (status < 400) return `${answered}, a redirect: set its address to the one that this leads to.`
  if (status === 401 || status === 403)
    return `${answered}: it rejected the signature of the cloud. Start it with a live API key of the app.`
  if (status === 404 || status === 405)
    return `${answered}: it has no webhook. Another program may answer at its address.`
  return `${answered}.`
}
