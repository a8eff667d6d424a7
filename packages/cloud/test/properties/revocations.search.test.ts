import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { WebSocket } from 'ws'
import { eachDatabase } from '../../src/db/testing.ts'
import { SignInMethodStore } from '../../src/features/auth/sign-in-method-store.ts'
import { generateApiKey } from '../../src/identity/index.ts'
import { startNodes } from '../support/local-nodes.ts'
import { checkProperty } from '../support/property.ts'
import { redisMissing } from '../support/redis.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, passwords, startCloud } from '../support/test-cloud.ts'

/** Time within which a connection ends, in milliseconds in which this process was not suspended. */
const LIMIT_MS = 1_000

const NODES = 3
const LOGINS = 2
const PASSWORD = 'a password of nobody'

const CONNECTIONS = ['glasses', 'events', 'admin', 'log', 'log by token', 'app'] as const
const ACTS = [
  'log out',
  'revoke login',
  'log out everywhere',
  'change password',
  'suspend',
  'demote',
  'delete',
  'revoke key',
  'revoke token',
  'remove member',
] as const

type ConnectionKind = (typeof CONNECTIONS)[number]
type ActKind = (typeof ACTS)[number]

/** Something that a person does at a node, with one of their logins, some milliseconds after the start. */
interface Step<Kind> {
  readonly kind: Kind
  readonly login: number
  readonly node: number
  readonly atMs: number
}

interface Story {
  readonly connections: readonly Step<ConnectionKind>[]
  readonly acts: readonly Step<ActKind>[]
}

const step = <Kind extends string>(kinds: readonly Kind[], lastMs: number): fc.Arbitrary<Step<Kind>> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    login: fc.nat({ max: LOGINS - 1 }),
    node: fc.nat({ max: NODES - 1 }),
    atMs: fc.nat({ max: lastMs }),
  })

const story: fc.Arbitrary<Story> = fc.record({
  connections: fc.array(step(CONNECTIONS, 100), { minLength: 1, maxLength: 8, size: 'max' }),
  acts: fc.array(step(ACTS, 300), { minLength: 1, maxLength: 2 }),
})

/** The model: whether an acknowledged act ends what a login, token or connection was opened with. */
function ends(act: Step<ActKind>, kind: ConnectionKind, login: number): boolean {
  switch (act.kind) {
    case 'log out everywhere':
    case 'suspend':
    case 'delete':
      return true
    case 'log out':
    case 'revoke login':
      return act.login === login && kind !== 'app' && kind !== 'log by token'
    case 'change password':
      return kind !== 'app' && kind !== 'log by token'
    case 'demote':
      return kind === 'admin'
    case 'revoke key':
      return kind === 'app'
    case 'revoke token':
      return kind === 'log by token'
    case 'remove member':
      return kind === 'log' || kind === 'log by token'
  }
}

/** Milliseconds that increase only while this process runs: a busy machine is no late end. */
const runningTime = (() => {
  let elapsed = 0
  let last = performance.now()
  setInterval(() => {
    const now = performance.now()
    elapsed += Math.min(now - last, 30)
    last = now
  }, 10).unref()
  return () => elapsed
})()

/** A connection that was opened, or rejected, which counts as ended. */
interface Connection {
  readonly step: Step<ConnectionKind>
  readonly openedAt: number
  isEnded(): boolean
  close(): void
}

class People {
  readonly #nodes: readonly LocalCloud[]
  readonly #passwordHash: string
  #count = 0

  constructor(nodes: readonly LocalCloud[], passwordHash: string) {
    this.#nodes = nodes
    this.#passwordHash = passwordHash
  }

  node(index: number): LocalCloud {
    const node = this.#nodes[index % this.#nodes.length]
    assert(node)
    return node
  }

  /** Creates an administrator with logins, a personal token, and an app of an organization, which runs. */
  async create() {
    this.#count += 1
    const name = `person-${this.#count}-${crypto.randomUUID().slice(0, 8)}`
    const { cloud } = this.node(0)
    const { users, logins, loginTokens, personalTokens, organizations, apiKeyStore, running, db } = cloud
    const now = Date.now()
    const user = await users.findOrCreate(`${name}@example.org`, now)
    const founder = await users.findOrCreate(`founder-${name}@example.org`, now)
    await users.setAdministrator(user.id, true, now)
    await new SignInMethodStore(db).addPassword(user.id, this.#passwordHash, now)
    const organization = await organizations.create({ slug: name, name, profile: {} }, founder.id, 50, now)
    assert(typeof organization === 'object')
    await organizations.addMember(organization.id, user.id, 'member', now)
    const packageName = `org.example.${name}`
    await this.node(0).registerApp({ packageName, organization: name })
    const app = await cloud.features.catalogue.apps.findByPackage(packageName)
    assert(app)
    const key = generateApiKey()
    await apiKeyStore.add(app.id, key.keyId, key.signingKey, now + 1)
    await running.setRunning(user.id, packageName, now)
    const scopes = ['apps:read'] as const
    const token = await personalTokens.create({
      userId: user.id,
      name,
      scopes,
      expiresAt: now + 86_400_000,
    })
    assert(token)
    const sessions = await Promise.all(
      Array.from({ length: LOGINS }, async (_, index) => {
        const sessionToken = `${name}${index}`.replaceAll('-', '').padEnd(64, '0')
        const login = await logins.create(user.id, {}, Date.now(), { sessionToken })
        return { id: login.id, sessionToken, ...(await loginTokens.issue(user, login.id)) }
      }),
    )
    return { user, founder, organization, packageName, key, token, sessions }
  }
}

type Person = Awaited<ReturnType<People['create']>>

/** Plays the story of one person, and checks its end. */
class Play {
  readonly #people: People
  readonly #person: Person
  readonly #story: Story

  constructor(people: People, person: Person, story: Story) {
    this.#people = people
    this.#person = person
    this.#story = story
  }

  async run(): Promise<void> {
    const connections = this.#story.connections.map(async (one) => {
      await delay(one.atMs)
      return this.#open(one)
    })
    const acts = this.#story.acts.map(async (act) => {
      await delay(act.atMs)
      const startedAt = runningTime()
      return { act, startedAt, isDone: await this.#act(act), at: runningTime() }
    })
    const opened = await Promise.all(connections)
    const done = (await Promise.all(acts)).filter(({ isDone }) => isDone)
    try {
      for (const connection of opened) await this.#check(connection, done)
      await this.#checkTokens(done.map(({ act }) => act))
    } finally {
      for (const connection of opened) connection.close()
    }
  }

  async #check(
    connection: Connection,
    done: readonly { act: Step<ActKind>; startedAt: number; at: number }[],
  ): Promise<void> {
    const { kind, login } = connection.step
    // The key of an app outlives a logout: an app that connects after it continues without glasses.
    const isLater = ({ act, startedAt }: { act: Step<ActKind>; startedAt: number }) =>
      kind === 'app' && act.kind === 'log out everywhere' && connection.openedAt >= startedAt
    const ended = done.filter((one) => ends(one.act, kind, login) && !isLater(one))
    if (ended.length === 0) {
      // Glasses of one user replace each other.
      const mayEnd = kind === 'glasses' || kind === 'app'
      assert.ok(mayEnd || !connection.isEnded(), `${kind} ended without a reason`)
      return
    }
    const deadline = Math.max(connection.openedAt, Math.min(...ended.map(({ at }) => at))) + LIMIT_MS
    while (!connection.isEnded() && runningTime() < deadline) await delay(5)
    assert.ok(
      connection.isEnded(),
      `${kind} is open ${LIMIT_MS} ms after: ${ended.map(({ act }) => act.kind)}`,
    )
  }

  /** Every token that should have ended is rejected by every node. */
  async #checkTokens(acts: readonly Step<ActKind>[]): Promise<void> {
    const { sessions, token, key, packageName } = this.#person
    const hasEnded = (kind: ConnectionKind, login = 0) => acts.some((act) => ends(act, kind, login))
    for (let node = 0; node < NODES; node += 1) {
      for (const [login, { coreToken, refreshToken }] of sessions.entries()) {
        if (!hasEnded('events', login)) continue
        assert.equal(await this.#status(node, 'GET', '/api/account/me', coreToken), 401, 'core token')
        const refreshed = await this.#status(node, 'POST', '/api/auth/refresh', undefined, { refreshToken })
        assert.equal(refreshed, 401, 'refresh token')
      }
      const isTokenEnded = acts.some((act) => act.kind !== 'remove member' && ends(act, 'log by token', 0))
      if (isTokenEnded)
        assert.equal(await this.#status(node, 'GET', '/api/console/apps', token.token), 401, 'personal token')
      if (acts.some((act) => act.kind === 'revoke key')) {
        const headers = { 'x-api-key': key.key, 'x-package-name': packageName }
        const path = '/api/auth/app-token'
        assert.equal(await this.#status(node, 'POST', path, undefined, undefined, headers), 401, 'API key')
      }
    }
  }

  async #status(
    node: number,
    method: string,
    path: string,
    token?: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<number> {
    const response = await fetch(this.#people.node(node).url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    await response.arrayBuffer()
    return response.status
  }

  /** @returns whether it was acknowledged */
  async #act({ kind, login, node }: Step<ActKind>): Promise<boolean> {
    const { user, organization, sessions, key, token } = this.#person
    const { cloud, url } = this.#people.node(node)
    const [own, other] = [sessions[login], sessions[1 - login]]
    assert(own && other)
    switch (kind) {
      case 'log out':
        return (await this.#status(node, 'POST', '/api/auth/logout', own.coreToken)) === 200
      case 'revoke login':
        return (await this.#status(node, 'DELETE', `/api/auth/logins/${own.id}`, other.coreToken)) === 200
      case 'log out everywhere':
        return (await this.#status(node, 'POST', '/api/auth/logout-everywhere', own.coreToken)) === 200
      case 'change password': {
        const body = { currentPassword: PASSWORD, newPassword: `${PASSWORD} ${login}` }
        const headers = { cookie: `glasses-cloud.session_token=${own.sessionToken}`, origin: url }
        const path = '/api/auth/change-password'
        return (await this.#status(node, 'POST', path, undefined, body, headers)) === 200
      }
      case 'suspend':
        return cloud.users.setSuspended(user.id, Date.now(), Date.now())
      case 'demote':
        return cloud.users.setAdministrator(user.id, false, Date.now())
      case 'delete':
        return (await this.#status(node, 'DELETE', '/api/account', own.coreToken)) === 200
      case 'revoke key':
        return cloud.apiKeyStore.remove(key.keyId)
      case 'revoke token':
        return cloud.personalTokens.remove(user.id, token.id)
      case 'remove member':
        return (await cloud.organizations.removeMember(organization.id, user.id)) === 'done'
    }
  }

  async #open(one: Step<ConnectionKind>): Promise<Connection> {
    const { sessions, token, key, packageName, user } = this.#person
    const coreToken = sessions[one.login]?.coreToken ?? ''
    switch (one.kind) {
      case 'glasses':
        return this.#openSocket(one, `/glasses-ws?token=${coreToken}`)
      case 'app':
        return this.#openSocket(one, '/app-ws', {
          type: 'tpa_connection_init',
          packageName,
          apiKey: key.key,
          sessionId: `${user.email}-${packageName}`,
        })
      case 'events':
        return this.#openStream(one, '/api/session/events', coreToken)
      case 'admin':
        return this.#openStream(one, '/api/admin/stream', coreToken)
      case 'log':
        return this.#openStream(one, `/api/console/apps/${packageName}/logs/stream`, coreToken)
      case 'log by token':
        return this.#openStream(one, `/api/console/apps/${packageName}/logs/stream`, token.token)
    }
  }

  async #openSocket(one: Step<ConnectionKind>, path: string, first?: object): Promise<Connection> {
    const socket = new WebSocket(this.#people.node(one.node).wsUrl + path)
    const settled = Promise.withResolvers<void>()
    let isEnded = false
    socket.on('open', () => {
      if (first) socket.send(JSON.stringify(first))
    })
    socket.on('message', () => settled.resolve())
    socket.on('error', () => {})
    socket.on('close', () => {
      isEnded = true
      settled.resolve()
    })
    await settled.promise
    return { step: one, openedAt: runningTime(), isEnded: () => isEnded, close: () => socket.terminate() }
  }

  async #openStream(one: Step<ConnectionKind>, path: string, token: string): Promise<Connection> {
    const leaving = new AbortController()
    const response = await fetch(this.#people.node(one.node).url + path, {
      headers: { authorization: `Bearer ${token}` },
      signal: leaving.signal,
    })
    let isEnded = response.status !== 200
    const drain = async () => {
      for await (const _ of response.body ?? []);
    }
    void drain()
      .catch(() => {})
      .finally(() => {
        isEnded = true
      })
    return { step: one, openedAt: runningTime(), isEnded: () => isEnded, close: () => leaving.abort() }
  }
}

/** Everything that a person can open, without any act: the stories of others do not end it. */
const QUIET: Story = {
  connections: CONNECTIONS.map((kind, node) => ({ kind, login: 0, node, atMs: 0 })),
  acts: [],
}

eachDatabase((database) => {
  describe('revocations', () => {
    const scope = suiteScope()
    let people: People

    before(async () => {
      const isCluster = database.name === 'PostgreSQL' && redisMissing === false
      const nodes = isCluster
        ? await startNodes(scope, database, NODES)
        : [await startCloud(scope, { database })]
      people = new People(nodes, await passwords.hash(PASSWORD))
    })

    test('TRU-7: what was revoked ends every socket, event stream and token within a second', async () => {
      const property = fc.asyncProperty(
        fc.array(story, { minLength: 1, maxLength: 8, size: 'max' }),
        async (stories) => {
          const plays = await Promise.all(
            [QUIET, ...stories].map(async (one) => new Play(people, await people.create(), one)),
          )
          await Promise.all(plays.map((play) => play.run()))
        },
      )
      await checkProperty(property, { runs: 3 })
    })
  })
})
