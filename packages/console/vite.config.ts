import { readFile, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { minify } from 'rolldown/utils'
import { defineConfig, loadEnv, type Plugin, type Rolldown } from 'vite'
import { miniApp } from './mini-app-plugin.ts'

const PROJECT = join(import.meta.dirname, '../..')

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

/** The package of the drawings in `src/components/icons.ts`. */
const COPIED = 'node_modules/lucide-react/LICENSE'

/**
 * Lists the modules of packages in the build, relative to the project, for the licenses of a release.
 * @param others those that other plugins have bundled
 */
function listModules(others: readonly string[]): Plugin {
  return {
    name: 'list-modules',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const ids = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      const modules = ids.map((id) => relative(PROJECT, id)).filter((id) => id.startsWith('node_modules/'))
      await writeFile(
        join(dir, '.modules.json'),
        JSON.stringify([...new Set([...modules, ...others, COPIED])].sort()),
      )
    },
  }
}

/** Modules of the console alone. The others, the phone and the contract, belong to the page of Even G2 as well. */
const CONSOLE_MODULES =
  /\.css$|console\/src\/|node_modules\/(react|@react|@tanstack|@internationalized|qrcode|clsx|use-sync)/

/**
 * Files that pages share, so that a first visit to any page loads at most 15 of them. Without them each set of
 * pages has a file of its own for what only they share: 80 files for the first page. A module is in the first that it fits.
 */
const SHARED_FILES: Rolldown.CodeSplittingGroup[] = [
  // What finds the cloud, and loads a file later. The page of Even G2 needs it, and nothing else of the console.
  { name: 'loader', test: /vite\/preload-helper|console\/src\/base-path/ },
  // What each page needs, with the styles of all.
  { name: 'core', test: /console\/src\/((main|router|routes|components\/PageState)\.tsx|.*\.css)$/ },
  {
    name: 'phone',
    test: (id) => !CONSOLE_MODULES.test(id),
    minShareCount: 3,
    entriesAware: true,
    entriesAwareMergeThreshold: 40_000,
  },
  { name: 'ui', minShareCount: 4 },
  {
    name: 'controls',
    test: /node_modules|console\/src\/(components\/|pages\/(apps\/SearchableApps|glasses\/(use-glasses-apps|InstalledApps)))/,
    minShareCount: 2,
  },
  {
    name: 'simulator',
    test: /console\/src\/(simulator\/|pages\/glasses\/own-glasses|save-file|api\/phone-settings)/,
    minShareCount: 2,
  },
]

const CONSOLE_BUILD = {
  build: {
    rolldownOptions: {
      input: {
        index: join(import.meta.dirname, 'index.html'),
        even: join(import.meta.dirname, 'glasses/even.html'),
        reach: join(import.meta.dirname, 'glasses/reach.html'),
        sw: join(import.meta.dirname, 'service-worker/sw.ts'),
      },
      output: {
        codeSplitting: { groups: SHARED_FILES },
        // Without the pages that share it, which the bundler adds to the name.
        chunkFileNames: ({ name }: { readonly name: string }) => `assets/${name.split('~', 1)[0]}-[hash].js`,
        entryFileNames: ({ name }: { readonly name: string }) =>
          name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js',
      },
    },
  },
}

/** Builds the pages, and the service worker at a fixed address. */
function pages(): Plugin {
  return {
    name: 'pages',
    apply: 'build',
    // Not for the bare page that benchmarks build with this configuration.
    config: ({ root }) => (resolve(root ?? '.') === import.meta.dirname ? CONSOLE_BUILD : undefined),
    async transformIndexHtml() {
      const file = join(import.meta.dirname, 'recovery/recover.js')
      const { code } = await minify(file, await readFile(file, 'utf8'))
      const nonce = '__CSP_NONCE__'
      return [{ tag: 'script', attrs: { nonce }, children: code, injectTo: 'head-prepend' }]
    },
  }
}

/** Paths that the development server (`npm run console`) forwards to a cloud. */
const FORWARDED_PATHS = [
  '/api',
  '/auth',
  '/openapi.json',
  '/asyncapi.json',
  '/glasses/bridge/',
  '/glasses-ws',
  '/app-ws',
]

/** The simulated glasses use the event emitter of Node, and the contract loads its compiler on first use. */
const SHIMS = {
  'node:events': 'events',
  'node:module': join(import.meta.dirname, 'src/shims/node-module.ts'),
}

export default defineConfig(({ mode }) => {
  const { GLASSES_CLOUD_URL = 'http://localhost:8080' } = loadEnv(mode, import.meta.dirname, 'GLASSES_CLOUD_')
  const miniAppModules: string[] = []
  // The cloud rejects requests whose origin is not their host, which is therefore kept.
  const forward = { target: GLASSES_CLOUD_URL, ws: true, changeOrigin: false }
  return {
    root: import.meta.dirname,
    // Scripts find each other below any path; the server completes the addresses in pages.
    base: './',
    plugins: [
      // Texts of components in other languages: the console is in English.
      optimizeLocales.vite({ locales: ['en-US'] }),
      react(),
      pages(),
      miniApp(SHIMS, miniAppModules),
      precompress(),
      listModules(miniAppModules),
    ],
    resolve: { alias: SHIMS },
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
