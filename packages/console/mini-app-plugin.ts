import { join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import type { Plugin } from 'vite'

const PROJECT = join(import.meta.dirname, '../..')
const ENTRY = join(PROJECT, 'packages/phone/src/mini-app/main.ts')

/** The script in the build, which the cloud packs (`packages/cloud/src/features/bridge`). */
const FILE = 'mini-app.js'

/** Syntax that engines of phones know; the functions they lack are in `packages/phone/src/bare`. */
const TARGET = 'es2020'

type Shims = Readonly<Record<string, string>>

/**
 * Builds the phone as a mini app: one script without modules, because its engine loads none.
 * @param shims replacements of modules of Node
 * @param modules receives the modules of packages in the script, relative to the project
 */
export function miniApp(shims: Shims, modules: string[]): Plugin {
  let isConsole = false
  return {
    name: 'mini-app',
    apply: 'build',
    configResolved({ root }) {
      // Not for the bare page that benchmarks build with the configuration of the console.
      isConsole = root === import.meta.dirname
    },
    async generateBundle() {
      if (!isConsole) return
      const { code, moduleIds } = await bundleMiniApp(shims)
      modules.push(
        ...moduleIds.map((id) => relative(PROJECT, id)).filter((id) => id.startsWith('node_modules/')),
      )
      this.emitFile({ type: 'asset', fileName: FILE, source: code })
    },
  }
}

/** Bundles the script of the mini app. @param shims replacements of modules of Node */
async function bundleMiniApp(shims: Shims) {
  const build = await rolldown({
    input: ENTRY,
    platform: 'browser',
    transform: { target: TARGET },
    resolve: { alias: { ...shims } },
    logLevel: 'silent',
  })
  const { output } = await build.generate({ format: 'iife', codeSplitting: false, minify: true })
  await build.close()
  return output[0]
}
