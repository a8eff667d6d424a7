import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { temporaryProject } from '../testing/temporary-project.ts'
import { checkKernel } from './kernel.ts'
import { Project } from './project.ts'

describe('the kernel', () => {
  test('a kernel folder imports no feature', (t) => {
    const cases: [path: string, source: string, problem?: RegExp][] = [
      ['cloud.ts', `import { createGallery } from './features/gallery/index.ts'`],
      ['features/photos/index.ts', `import { createGallery } from '../gallery/index.ts'`],
      ['http/server.test.ts', `import { createGallery } from '../features/gallery/index.ts'`],
      ['http/server.ts', `import { createGallery } from '../features/gallery/index.ts'`, /http\/ is part of/],
      [
        'sockets/asyncapi/document.ts',
        `import type { Gallery } from '../../features/gallery/index.ts'`,
        /no feature, not packages\/cloud\/src\/features\/gallery\/index\.ts/,
      ],
      ['config/load.ts', `const x = await import('../features/tts/index.ts')`, /config\/ is part of/],
    ]
    for (const [path, source, expected] of cases) {
      const file = `packages/cloud/src/${path}`
      const problems = checkKernel(new Project(temporaryProject(t, { [file]: `\n${source}\n` })))
      assert.equal(problems.length, expected === undefined ? 0 : 1, `${path}: ${problems.join('\n')}`)
      if (expected === undefined) continue
      assert.ok(problems[0]?.startsWith(`${file}:2  `), problems[0])
      assert.match(problems[0] ?? '', expected)
    }
  })
})
