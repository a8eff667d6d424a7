import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import type { OutputChunk, Plugin } from 'rolldown'
import { reduceSourceMap } from './source-map.ts'

/** Packages that read files of their own or have binaries, and an optional one that is not installed. */
const EXTERNAL = ['lc3codec', 'pg-native', 'sharp', /^sherpa-onnx-node(?:\/|$)/]

const REQUIRE_DECLARATION = /^const require = createRequire\(import\.meta\.url\)$/m

/** Lets `require`, which the sources use to load modules on first use, refer to modules of the bundle. */
const bundleRequired: Plugin = {
  name: 'bundle-required',
  transform: {
    filter: { id: /\.ts$/, code: 'createRequire(import.meta.url)' },
    handler: (code) => ({ code: code.replace(REQUIRE_DECLARATION, ''), map: null }),
  },
}

const SILENT_PINO = '\0silent-pino'

/**
 * Bundles the app SDK, which loads packages on first use as well, with a logger that writes nothing: its own starts a thread
 * from a file that a bundle does not have, and the cloud discards what the sample app writes.
 */
const bundledSdk: Plugin = {
  name: 'bundled-sdk',
  transform: {
    filter: { id: /@mentra\/sdk\/dist\/.*\.js$/, code: '__require(' },
    handler: (code) => ({ code: code.replaceAll('__require(', 'require('), map: null }),
  },
  resolveId: {
    filter: { id: /^pino$/ },
    handler: (_id, importer = '') => (importer.includes('node_modules/@mentra/sdk/') ? SILENT_PINO : null),
  },
  load: {
    filter: { id: /silent-pino$/ },
    handler: () => `
      import pino from 'pino'
      const silent = () => pino({ level: 'silent' })
      export default Object.assign(silent, pino, { transport: () => undefined, multistream: () => undefined })`,
  },
}

const HTTP_MODULE = '\0node-http'
/** Exports of `node:http` that load the `fetch` of Node, which takes 15 ms. */
const FETCH_EXPORTS = ['WebSocket', 'CloseEvent', 'MessageEvent']

/** Imports `node:http` without the exports that no source uses: an ES module import reads all of them. */
const httpWithoutFetch: Plugin = {
  name: 'http-without-fetch',
  resolveId: {
    filter: { id: /^(?:node:)?http$/ },
    handler: (_id, _importer, { kind }) => (kind === 'import-statement' ? HTTP_MODULE : null),
  },
  load: {
    filter: { id: /node-http$/ },
    handler: () => `
      const http = process.getBuiltinModule('node:http')
      export default http
      export const { ${Object.keys(http).filter((name) => !FETCH_EXPORTS.includes(name))} } = http`,
  },
}

/**
 * Bundles the cloud, the program of a release, and what runs in a thread or a process of its own.
 * @param root root of the project
 * @param folder receives the bundle
 * @returns its chunks
 */
export async function writeBundle(root: string, folder: string): Promise<OutputChunk[]> {
  const { rolldown } = await import('rolldown')
  const build = await rolldown({
    cwd: root,
    input: {
      main: 'packages/cloud/src/main.ts',
      program: 'packages/cloud/src/program.ts',
      // Threads and processes are started from files of their own.
      'flite-worker': 'packages/cloud/src/features/tts/flite/flite-worker.ts',
      'recognizer-main': 'packages/cloud/src/features/local-speech/recognizer-main.ts',
      'voice-main': 'packages/cloud/src/features/local-speech/voice-main.ts',
      'spotter-main': 'packages/cloud/src/features/local-speech/spotter-main.ts',
      'sample-app-program': 'packages/cloud/src/features/sample-app/sample-app-program.ts',
      'backup-worker': 'packages/cloud/src/backup/backup-worker.ts',
      'image-worker': 'packages/cloud/src/features/gallery/image-worker.ts',
      'password-worker': 'packages/cloud/src/features/auth/password/password-worker.ts',
    },
    platform: 'node',
    external: EXTERNAL,
    plugins: [bundleRequired, bundledSdk, httpWithoutFetch],
    onLog: (_, log) => {
      // An import that cannot be resolved would only fail at run time.
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message)
    },
  })
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    sourcemap: true,
    // Otherwise a CommonJS package is loaded where it is used first, before what its importer imports for its effects.
    strictExecutionOrder: true,
    // Node reads ASCII several times as fast as other UTF-8.
    charset: 'ascii',
    comments: false,
  })
  await build.close()
  reduceSourceMaps(folder)
  return output.filter((file) => file.type === 'chunk')
}

/** Chunks without a source of the project need no map. */
function reduceSourceMaps(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.map'))) {
    const file = join(folder, name)
    const isOwn = (source: string) => !source.includes('node_modules')
    const map = reduceSourceMap(JSON.parse(readFileSync(file, 'utf8')), isOwn)
    if (map.sources.length > 0) {
      writeFileSync(file, JSON.stringify(map))
      continue
    }
    rmSync(file)
    const chunk = file.replace(/\.map$/, '')
    writeFileSync(chunk, readFileSync(chunk, 'utf8').replace(`//# sourceMappingURL=${name}`, ''))
  }
}
