import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { tree } from '../testing/tree.ts'
import { checkBoundaries } from './boundaries.ts'

/** Each file against what must be said of it (nothing: the file is fine). */
type Case = [path: string, source: string, complaint?: RegExp]

function holds(t: TestContext, cases: Case[], others: Record<string, string> = {}): void {
  for (const [path, source, expected] of cases) {
    const complaints = checkBoundaries(tree(t, { ...others, [path]: `\n${source}\n` }))
    if (expected === undefined) assert.deepEqual(complaints, [], `${path}: ${source}`)
    else {
      assert.equal(complaints.length, 1, `${path}: ${source}\n${complaints.join('\n')}`)
      const [said = ''] = complaints
      assert.ok(said.startsWith(`${path}:2  `), said)
      assert.match(said, expected)
    }
  }
}

const contract = 'packages/contract/src/apps.ts'
const session = 'packages/cloud/src/session/user-session.ts'
const feature = 'packages/cloud/src/features/gallery/list-photos.ts'

describe('boundaries', () => {
  test('TOOL-21: the contract', (t) => {
    holds(t, [
      [contract, `import { Type } from 'typebox'`],
      [contract, `import { errors } from './errors/index.ts'`],
      [contract, `import { inspect } from 'node:util'`],
      [contract, `import { createCloud } from '@glasses-cloud/cloud/other'`, /imports nothing of ours/],
      [contract, `export type { Phone } from '@glasses-cloud/glasses'`, /imports nothing of ours/],
      [contract, `import { readFileSync } from 'node:fs'`, /node:fs reaches outside/],
      [contract, `const net = await import('node:net')`, /node:net reaches outside/],
      [contract, `export type Socket = import('node:net').Socket`, /node:net reaches outside/],
    ])
  })

  test('TOOL-22: the session', (t) => {
    holds(t, [
      [session, `import { errors } from '@glasses-cloud/contract'`],
      [session, `import type { Clock } from '../session/clock.ts'`],
      [session, `export const at = (clock: { now(): number }) => new Date(clock.now())`],
      ['packages/cloud/src/session/clock.ts', `export const now = () => Date.now()`],
      ['packages/cloud/src/session/user-session.test.ts', `const now = Date.now()`],
      [session, `import type { Users } from '../identity/index.ts'`, /imports only contract/],
      [session, `import WebSocket from 'ws'`, /imports only contract/],
      [session, `import { randomUUID } from 'node:crypto'`, /node:crypto reaches outside/],
      [session, `const now = Date.now()`, /Date\.now is not among them/],
      [session, `const now = new Date()`, /new Date\(\) is not among them/],
      [session, `setTimeout(() => {}, 200)`, /setTimeout is not among them/],
      [session, `const id = Math.random()`, /Math\.random is not among them/],
      [session, `console.log('hello')`, /console\.log is not among them/],
    ])
  })

  test('TOOL-23: a folder is entered by its index', (t) => {
    const others = {
      'packages/cloud/src/http/endpoint.ts': '',
      'packages/cloud/src/http/auth/index.ts': '',
      'packages/cloud/src/http/auth/scheme.ts': '',
    }
    holds(
      t,
      [
        [feature, `import { users } from '../../identity/index.ts'`],
        [feature, `import { photo } from './photo.ts'`],
        [feature, `import { blobs } from '../../blobs/index.ts'`],
        [feature, `import { endpoint } from '../../http/endpoint.ts'`],
        [
          'packages/cloud/src/features/gallery/gallery.test.ts',
          `import { users } from '../../identity/user-store.ts'`,
        ],
        [
          feature,
          `import { users } from '../../identity/user-store.ts'`,
          /import packages\/cloud\/src\/identity\/index\.ts/,
        ],
        [feature, `export * from '../../identity/user-store.ts'`, /belongs to identity/],
        [feature, `import type { Users } from '../../identity/users/users.ts'`, /belongs to identity/],
        [feature, `const users = await import('../../identity/users.ts')`, /belongs to identity/],
        [
          feature,
          `import { scheme } from '../../http/auth/scheme.ts'`,
          /import packages\/cloud\/src\/http\/auth\/index\.ts/,
        ],
        ['packages/cloud/src/cloud.ts', `import { users } from './identity/users.ts'`, /belongs to identity/],
      ],
      others,
    )
  })

  test('TOOL-24: who imports the composition root', (t) => {
    holds(t, [
      ['packages/cloud/src/main.ts', `import { createCloud } from './cloud.ts'`],
      ['packages/cloud/test/harness.ts', `import { createCloud } from '../src/cloud.ts'`],
      ['bench/src/main.ts', `import { createCloud } from '@glasses-cloud/cloud'`],
      ['packages/glasses/src/demo/main.ts', `import { createCloud } from '@glasses-cloud/cloud'`],
      [feature, `import type { Cloud } from '../../cloud.ts'`, /Only main\.ts/],
      [
        'packages/cloud/src/features/gallery/index.ts',
        `import { createCloud } from '@glasses-cloud/cloud'`,
        /Only main\.ts/,
      ],
    ])
  })

  test('TOOL-25: who reads the environment', (t) => {
    holds(t, [
      ['packages/cloud/src/config/load.ts', `export const port = process.env.PORT`],
      ['packages/cloud/test/harness.ts', `export const path = process.env.PATH`],
      ['apps/captions/src/main.ts', `const { PORT } = process.env`],
      [feature, `export const port = process.env.PORT`, /Only config\/ reads/],
      [feature, `export const port = process['env'].PORT`, /Only config\/ reads/],
      [feature, `const { env } = process`, /Only config\/ reads/],
      [feature, `import { env } from 'node:process'`, /Only config\/ reads/],
      ['packages/glasses/src/phone.ts', `export const home = process.env.HOME`, /Only config\/ reads/],
    ])
  })

  test('TOOL-26: where SQL stands', (t) => {
    const queries = `export const all = (db: Database) => db.selectFrom('apps').execute()`
    holds(t, [
      ['packages/cloud/src/features/gallery/gallery-store.ts', queries],
      ['packages/cloud/src/db/migrate.ts', queries],
      ['packages/cloud/src/features/gallery/gallery.test.ts', queries],
      [feature, `import type { Kysely } from 'kysely'`],
      [feature, queries, /SQL belongs/],
      [feature, `export const one = (db: Database) => db.insertInto('apps').values({})`, /SQL belongs/],
      [feature, 'export const one = sql<number>`select 1`', /SQL belongs/],
      [feature, `import { sql } from 'kysely'`, /only they import kysely/],
      [feature, `import { DatabaseSync } from 'node:sqlite'`, /only they import node:sqlite/],
    ])
  })

  test('TOOL-27: who imports which package of ours', (t) => {
    holds(t, [
      ['packages/glasses/src/phone.ts', `import { errors } from '@glasses-cloud/contract'`],
      ['packages/cloud/src/cli/simulate.ts', `import { Phone } from '@glasses-cloud/glasses'`],
      ['packages/cloud/test/captions.test.ts', `import { Phone } from '@glasses-cloud/glasses'`],
      [
        feature,
        `import { errors } from '../../../../contract/src/index.ts'`,
        /another package: import that package by its name/,
      ],
      [feature, `import { Phone } from '@glasses-cloud/glasses'`, /packages\/cloud\/ imports only contract/],
      [
        'packages/glasses/src/phone.ts',
        `import { x } from '@glasses-cloud/cloud/other'`,
        /imports only contract/,
      ],
      [
        'apps/captions/src/main.ts',
        `import { errors } from '@glasses-cloud/contract'`,
        /imports nothing of ours/,
      ],
    ])
  })

  test('TOOL-28: what runs does not lean on what is there for tests', (t) => {
    holds(t, [
      ['packages/cloud/src/db/database.test.ts', `import { open } from './testing.ts'`],
      [feature, `import { rig } from '../gallery/testing/rig.ts'`, /there for tests/],
      [feature, `import { photos } from './gallery-store-suite.ts'`, /there for tests/],
    ])
  })
})
