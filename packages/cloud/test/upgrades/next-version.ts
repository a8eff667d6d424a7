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
 * Makes a copy of this version that poses as the next minor one: with its number, an additional migration, and a field in
 * the arguments of all requests to other nodes that this version does not know.
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
    join(cloud, 'src/bus/node-call.ts'),
    'bus.request(nodeId, name, argument,',
    'bus.request(nodeId, name, { ...argument, addedLater: 1 } as never,',
  )
  return { version, main: join(cloud, 'src/main.ts') }
}

function edit(file: string, before: string, after: string): void {
  const text = readFileSync(file, 'utf8')
  if (!text.includes(before)) throw new Error(`${file} does not contain ${before}`)
  writeFileSync(file, text.replace(before, after))
}
