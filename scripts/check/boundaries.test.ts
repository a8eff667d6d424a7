import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { temporaryProject } from '../testing/temporary-project.ts'
import { checkBoundaries } from './boundaries.ts'
import { Project } from './project.ts'

/** A file and the expected problem; without one, the file is accepted. */
type Case = [path: string, source: string, problem?: RegExp]

function assertProblems(t: TestContext, cases: Case[], otherFiles: Record<string, string> = {}): void {
  for (const [path, source, expected] of cases) {
    const root = temporaryProject(t, { ...otherFiles, [path]: `\n${source}\n` })
    const problems = checkBoundaries(new Project(root))
    if (expected === undefined) assert.deepEqual(problems, [], `${path}: ${source}`)
    else {
      assert.equal(problems.length, 1, `${path}: ${source}\n${problems.join('\n')}`)
      const [problem = ''] = problems
      assert.ok(problem.startsWith(`${path}:2  `), problem)
      assert.match(problem, expected)
    }
  }
}

const contract = 'packages/contract/src/apps.ts'
const session = 'packages/cloud/src/session/user-session.ts'
const feature = 'packages/cloud/src/features/gallery/list-photos.ts'

describe('boundaries', () => {
  test('the contract imports no workspace package and does no I/O', (t) => {
    assertProblems(t, [
      [contract, `import { Type } from 'typebox'`],
      [contract, `import { errors } from './errors/index.ts'`],
      [contract, `import { inspect } from 'node:util'`],
      [contract, `import { createCloud } from '@glasses-cloud/cloud/other'`, /imports no workspace package/],
      [contract, `export type { Phone } from '@glasses-cloud/phone'`, /imports no workspace package/],
      [contract, `import { readFileSync } from 'node:fs'`, /node:fs does I/],
      [contract, `const net = await import('node:net')`, /node:net does I/],
      [contract, `export type Socket = import('node:net').Socket`, /node:net does I/],
    ])
  })

  test('the session core imports only contract and time, and is deterministic', (t) => {
    assertProblems(t, [
      [session, `import { errors } from '@glasses-cloud/contract'`],
      [session, `import type { Clock } from '../time/index.ts'`],
      [session, `export const at = (clock: { now(): number }) => new Date(clock.now())`],
      ['packages/cloud/src/time/index.ts', `export const now = () => Date.now()`],
      ['packages/cloud/src/session/user-session.test.ts', `const now = Date.now()`],
      [session, `import type { Users } from '../identity/index.ts'`, /imports only contract/],
      [session, `import WebSocket from 'ws'`, /imports only contract/],
      [session, `import { randomUUID } from 'node:crypto'`, /node:crypto does I/],
      [session, `const now = Date.now()`, /instead of Date\.now/],
      [session, `const now = new Date()`, /instead of new Date\(\)/],
      [session, `setTimeout(() => {}, 200)`, /instead of setTimeout/],
      [session, `const id = Math.random()`, /instead of Math\.random/],
      [session, `console.log('hello')`, /instead of console\.log/],
    ])
  })

  test('other folders import only the index.ts of a folder', (t) => {
    const others = {
      'packages/cloud/src/http/endpoint.ts': '',
      'packages/cloud/src/http/auth/index.ts': '',
      'packages/cloud/src/http/auth/scheme.ts': '',
    }
    assertProblems(
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
        [feature, `export * from '../../identity/user-store.ts'`, /internal to identity/],
        [feature, `import type { Users } from '../../identity/users/users.ts'`, /internal to identity/],
        [feature, `const users = await import('../../identity/users.ts')`, /internal to identity/],
        [
          feature,
          `import { scheme } from '../../http/auth/scheme.ts'`,
          /import packages\/cloud\/src\/http\/auth\/index\.ts/,
        ],
        [
          'packages/cloud/src/cloud.ts',
          `import { users } from './identity/users.ts'`,
          /internal to identity/,
        ],
      ],
      others,
    )
  })

  test('the kernel imports no feature', (t) => {
    const gallery = 'features/gallery/index.ts'
    assertProblems(t, [
      ['packages/cloud/src/cloud.ts', `import { createGallery } from './${gallery}'`],
      ['packages/cloud/src/features/photos/index.ts', `import { createGallery } from '../gallery/index.ts'`],
      ['packages/cloud/src/cli/list.ts', `import { createGallery } from '../${gallery}'`],
      ['packages/cloud/src/http/server.test.ts', `import { createGallery } from '../${gallery}'`],
      [
        'packages/cloud/src/http/server.ts',
        `import { createGallery } from '../${gallery}'`,
        /http\/ is part of/,
      ],
      [
        'packages/cloud/src/new/a.ts',
        `import type { Gallery } from '../${gallery}'`,
        /no feature, not packages/,
      ],
      ['packages/cloud/src/bus/a/b.ts', `const x = await import('../../${gallery}')`, /bus\/ is part of/],
    ])
  })

  test('only entry points, tests, benchmarks and the demo import cloud.ts', (t) => {
    assertProblems(t, [
      ['packages/cloud/src/start.ts', `import { createCloud } from './cloud.ts'`],
      ['packages/cloud/test/harness.ts', `import { createCloud } from '../src/cloud.ts'`],
      ['bench/src/main.ts', `import { createCloud } from '@glasses-cloud/cloud'`],
      ['packages/phone/src/demo/main.ts', `import { createCloud } from '@glasses-cloud/cloud'`],
      [feature, `import type { Cloud } from '../../cloud.ts'`, /Only start\.ts/],
      [
        'packages/cloud/src/features/gallery/index.ts',
        `import { createCloud } from '@glasses-cloud/cloud'`,
        /Only start\.ts/,
      ],
    ])
  })

  test('only config/ and the programs around the cloud read the environment', (t) => {
    assertProblems(t, [
      ['packages/cloud/src/config/load.ts', `export const port = process.env.PORT`],
      ['packages/cloud/test/harness.ts', `export const path = process.env.PATH`],
      ['apps/captions/src/main.ts', `const { PORT } = process.env`],
      [feature, `export const port = process.env.PORT`, /Only config\/ reads/],
      [feature, `export const port = process['env'].PORT`, /Only config\/ reads/],
      [feature, `const { env } = process`, /Only config\/ reads/],
      [feature, `import { env } from 'node:process'`, /Only config\/ reads/],
      ['packages/phone/src/phone.ts', `export const home = process.env.HOME`, /Only config\/ reads/],
    ])
  })

  test('SQL is written in store files and in db/ only', (t) => {
    const queries = `export const all = (db: Database) => db.selectFrom('apps').execute()`
    assertProblems(t, [
      ['packages/cloud/src/features/gallery/gallery-store.ts', queries],
      ['packages/cloud/src/db/migrate.ts', queries],
      ['packages/cloud/src/features/gallery/gallery.test.ts', queries],
      [feature, `import type { Kysely } from 'kysely'`],
      [feature, queries, /Move this SQL/],
      [feature, `export const one = (db: Database) => db.insertInto('apps').values({})`, /Move this SQL/],
      [feature, 'export const one = sql<number>`select 1`', /Move this SQL/],
      [feature, `import { sql } from 'kysely'`, /only they import kysely/],
      [feature, `import { DatabaseSync } from 'node:sqlite'`, /only they import node:sqlite/],
    ])
  })

  test('a workspace package is imported by its name, where the layout allows it', (t) => {
    assertProblems(t, [
      ['packages/phone/src/phone.ts', `import { errors } from '@glasses-cloud/contract'`],
      ['packages/cloud/src/cli/simulate.ts', `import { Phone } from '@glasses-cloud/phone'`],
      ['packages/cloud/test/captions.test.ts', `import { Phone } from '@glasses-cloud/phone'`],
      [
        feature,
        `import { errors } from '../../../../contract/src/index.ts'`,
        /another package: import that package by its name/,
      ],
      [feature, `import { Phone } from '@glasses-cloud/phone'`, /packages\/cloud\/ imports only contract/],
      [
        'packages/phone/src/phone.ts',
        `import { x } from '@glasses-cloud/cloud/other'`,
        /imports only contract/,
      ],
      [
        'apps/captions/src/main.ts',
        `import { errors } from '@glasses-cloud/contract'`,
        /imports no workspace package/,
      ],
    ])
  })

  test('production code does not import test files', (t) => {
    assertProblems(t, [
      ['packages/cloud/src/db/database.test.ts', `import { open } from './testing.ts'`],
      [feature, `import { rig } from '../gallery/testing/rig.ts'`, /for tests only/],
      [feature, `import { photos } from './gallery-store-suite.ts'`, /for tests only/],
    ])
  })
})
