import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** Bundles a script for a page of a test. @param file in `packages/cloud/test/glasses/pages` */
export function bundlePage(file: string): Promise<string> {
  return bundleScript(new URL(`../glasses/pages/${file}`, import.meta.url))
}

/** Bundles a script that runs outside of Node. Its exports become the global variable `bundle`. */
export async function bundleScript(file: URL): Promise<string> {
  const build = await rolldown({
    input: fileURLToPath(file),
    platform: 'browser',
    logLevel: 'silent',
    // The Lua machine of the device models reads its settings there, also in browsers.
    transform: { define: { 'process.env.FENGARICONF': 'undefined' } },
  })
  const { output } = await build.generate({ format: 'iife', name: 'bundle', codeSplitting: false })
  await build.close()
  return output[0].code
}
