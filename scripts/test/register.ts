import { readdirSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isMainThread } from 'node:worker_threads'

/*
 * Loaded into the process of each test file before the file itself. Records which process runs which file, because
 * node:test does not expose process ids and `Watchdog` needs them.
 */
const { TEST_PROCESSES: processes, TEST_PACKAGES: packages } = process.env
const file = process.argv[1]
if (processes !== undefined && file !== undefined && isMainThread) {
  writeFileSync(join(processes, String(process.pid)), file)
}

/** The files that `prebundlePackages` made, by the specifier that they stand for. */
const bundled = new Map(
  packages === undefined
    ? []
    : readdirSync(packages).map((name) => [
        name.replace('.mjs', '').replaceAll('_', '/'),
        pathToFileURL(join(packages, name)).href,
      ]),
)

// Half of the time to load a module from its source is finding it, although the sources name their files exactly.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL, conditions } = context
    if (parentURL === undefined || conditions.includes('require')) return nextResolve(specifier, context)
    if (specifier.startsWith('.') && specifier.endsWith('.ts')) {
      return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true }
    }
    const url = bundled.get(specifier)
    if (url !== undefined) return { url, format: 'module', shortCircuit: true }
    return nextResolve(specifier, context)
  },
})
