import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VERSION } from '../../src/config/index.ts'
import type { Scope } from '../support/scope.ts'

const ROOT = join(import.meta.dirname, '../../../..')

/** A program that starts a cloud. */
export interface Release {
  readonly version: string
  /** The file to run with Node. */
  readonly main: string
}

/** This version. */
export const THIS_RELEASE: Release = { version: VERSION, main: join(ROOT, 'packages/cloud/src/main.ts') }

const MIGRATION = `import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const next: Migration = {
  summary: 'Adds what the next version stores.',
  async up(db) {
    await sql\`alter table users add column next_version text\`.execute(db)
    await sql\`create table next_version (id text primary key)\`.execute(db)
  },
}
`

/**
 * Makes a copy of this version that poses as the next minor one: with its number, an additional migration, and parts that
 * this version does not know in the arguments, results, requests, responses, relay frames and frames that it sends to other
 * nodes.
 */
export function makeNextVersion(scope: Scope): Release {
  const folder = mkdtempSync(join(tmpdir(), 'glasses-cloud-next-'))
  scope.after(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const cloud = join(folder, 'packages/cloud')
  cpSync(join(ROOT, 'packages/cloud/package.json'), join(cloud, 'package.json'))
  cpSync(join(ROOT, 'packages/cloud/src'), join(cloud, 'src'), {
    recursive: true,
    filter: (path) => !path.endsWith('.test.ts'),
  })
  return { version: turnIntoNextVersion(cloud), main: join(cloud, 'src/main.ts') }
}

/** Changes a copy of `packages/cloud`. @returns its version */
export function turnIntoNextVersion(cloud: string): string {
  const [major, minor] = VERSION.split('.').map(Number)
  const version = `${major}.${Number(minor) + 1}.0`
  edit(join(cloud, 'package.json'), `"version": "${VERSION}"`, `"version": "${version}"`)
  const migrations = join(cloud, 'src/db/migrations')
  writeFileSync(join(migrations, '9001-next-version.ts'), MIGRATION)
  edit(
    join(migrations, 'index.ts'),
    'export const migrations: Readonly<Record<string, Migration>> = {',
    "import { next } from './9001-next-version.ts'\n$&\n  '9001-next-version': next,",
  )
  edit(
    join(cloud, 'src/bus/requests.ts'),
    'bus.request(nodeId, name, argument,',
    'bus.request(nodeId, name, { ...argument, addedLater: 1 } as never,',
  )
  edit(
    join(cloud, 'src/bus/requests.ts'),
    'return handler(argument, from)',
    'return Promise.resolve(handler(argument, from)).then(withAddition)',
  )
  edit(
    join(cloud, 'src/bus/requests.ts'),
    '/** Declares a request between nodes.',
    `const withAddition = (result: any) =>
  typeof result === 'object' && result !== null && !Array.isArray(result) ? { ...result, addedLater: 1 } : result\n\n$&`,
  )
  edit(
    join(cloud, 'src/bus/requests.ts'),
    'FRAME_KINDS.request, serialize(request)',
    'FRAME_KINDS.request, serialize([id, method, argument, context, { addedLater: 1 }])',
  )
  edit(
    join(cloud, 'src/bus/requests.ts'),
    'FRAME_KINDS.response, serialize(response satisfies Response)',
    'FRAME_KINDS.response, serialize([response[0], response[1], response[2], response[3], { addedLater: 1 }])',
  )
  // A relay frame of an unknown type before each to the owner of a session, and to the node with its socket.
  edit(
    join(cloud, 'src/sockets/relay/relay-client.ts'),
    'this.#bus.send(nodeId, FRAME_KINDS.relay, frame)',
    `this.#bus.send(nodeId, FRAME_KINDS.relay, encodeRelayFrame({ type: 15, link: id, epoch, payload }))\n    $&`,
  )
  edit(
    join(cloud, 'src/sockets/relay/relay-server.ts'),
    'this.#deps.bus.send(to, FRAME_KINDS.relay, encodeRelayFrame({ type,',
    `this.#deps.bus.send(to, 200 as never, payload)
    this.#deps.bus.send(to, FRAME_KINDS.relay, encodeRelayFrame({ type: 31, link, epoch, payload }))\n    $&`,
  )
  return version
}

function edit(file: string, before: string, after: string): void {
  const text = readFileSync(file, 'utf8')
  if (!text.includes(before)) throw new Error(`${file} does not contain ${before}`)
  writeFileSync(file, text.replace(before, after))
}
