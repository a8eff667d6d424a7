import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** Bundles a script for a page of a test. @param file in `packages/cloud/test/glasses/pages` */
export async function bundlePage(file: string): Promise<string> {
  const input = fileURLToPath(new URL(`../glasses/pages/${file}`, import.meta.url))
  const build = await rolldown({ input, platform: 'browser', logLevel: 'silent' })
  const { output } = await build.generate({ format: 'iife' })
  await build.close()
  return output[0].code
}
