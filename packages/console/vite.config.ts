import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv, type Plugin } from 'vite'

/** Files smaller than this are served as they are. */
const COMPRESS_FROM_BYTES = 1024

/** Writes a Brotli and a gzip copy beside each text file, so that the server compresses nothing itself. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    // Other plugins change the files until they are written.
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => /\.(js|css|svg)$/.test(name))
      await Promise.all(names.map((name) => writeCompressed(join(dir, name))))
    },
  }
}

async function writeCompressed(file: string): Promise<void> {
  const content = await readFile(file)
  if (content.length < COMPRESS_FROM_BYTES) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  await Promise.all([
    writeFile(`${file}.br`, brotliCompressSync(content, { params })),
    writeFile(`${file}.gz`, gzipSync(content, { level: 9 })),
  ])
}

/** Paths that the development server (`npm run console`) forwards to a cloud. */
const FORWARDED_PATHS = ['/api', '/auth', '/openapi.json', '/asyncapi.json', '/glasses-ws', '/app-ws']

export default defineConfig(({ mode }) => {
  const { GLASSES_CLOUD_URL = 'http://127.0.0.1:8080' } = loadEnv(mode, import.meta.dirname, 'GLASSES_CLOUD_')
  // The cloud rejects requests whose origin is not their host, which is therefore kept.
  const forward = { target: GLASSES_CLOUD_URL, ws: true, changeOrigin: false }
  return {
    root: import.meta.dirname,
    plugins: [react(), precompress()],
    // The simulated glasses use the event emitter of Node, and the contract loads its compiler on first use.
    resolve: {
      alias: {
        'node:events': 'events',
        'node:module': join(import.meta.dirname, 'src/shims/node-module.ts'),
      },
    },
    build: {
      target: 'es2023',
      // The content security policy allows no scripts and styles in data: URLs.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
    server: { proxy: Object.fromEntries(FORWARDED_PATHS.map((path) => [path, forward])) },
  }
})
