import { createHash } from 'node:crypto'
import { zipSync } from 'fflate'

/** The name of the mini app at its host; its script announces itself by the same (`packages/phone/src/mini-app`). */
const PACKAGE_NAME = 'dev.glassescloud.bridge'

const SCRIPT = 'background/index.js'
const PAGE = 'ui/index.html'
const ICON = 'icon.png'

/** What hosts read of a mini app before they install it. */
const MANIFEST = {
  packageName: PACKAGE_NAME,
  name: 'Glasses Cloud',
  description: 'Wears your glasses with the apps of your own cloud.',
  icon: ICON,
  type: 'standard',
  entry: { background: SCRIPT, ui: PAGE },
  permissions: [
    { type: 'MICROPHONE', required: false, description: 'For apps that listen, such as captions.' },
    { type: 'LOCATION', required: false, description: 'For apps that ask where you are.' },
  ],
  hardwareRequirements: [
    { type: 'DISPLAY', level: 'REQUIRED' },
    { type: 'MICROPHONE', level: 'OPTIONAL' },
  ],
}

/** What a wearer sees who opens the mini app. The host takes it for loaded when it calls `ready`. */
const pageOf = (url: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Glasses Cloud</title>
    <style>body { font: 1rem/1.5 system-ui, sans-serif; margin: 6rem 1.5rem }</style>
  </head>
  <body>
    <h1>Glasses Cloud</h1>
    <p>Look at your glasses. If they show a code, open ${url}/device in any browser, sign in and enter it.</p>
    <p>Start apps in the console at ${url}.</p>
    <script>globalThis.mentra?.ready?.()</script>
  </body>
</html>
`

/** The earliest time that archives can have, so that the same files always make the same bytes. */
const MODIFIED = new Date(1980, 0, 1)

/** A mini app as hosts install it. */
export interface Bundle {
  /** JSON. */
  readonly manifest: string
  /** ZIP archive with everything. */
  readonly archive: Uint8Array
  /** SHA-256 of the archive in hexadecimal. */
  readonly sha256: string
}

/**
 * Packs the mini app of a cloud. The same arguments make the same bytes, and others another version.
 * @param url of the cloud, without a slash at the end
 * @param script the built script
 * @param icon PNG
 */
export function packBundle(url: string, script: string, icon: Uint8Array): Bundle {
  const address = `globalThis.GLASSES_CLOUD_URL = ${JSON.stringify(url)};\n`
  const content = { [SCRIPT]: Buffer.from(address + script), [PAGE]: Buffer.from(pageOf(url)), [ICON]: icon }
  const manifest = JSON.stringify({ ...MANIFEST, version: versionOf(content) }, undefined, 2)
  const archive = zipSync({ 'miniapp.json': Buffer.from(manifest), ...content }, { mtime: MODIFIED })
  return { manifest, archive, sha256: createHash('sha256').update(archive).digest('hex') }
}

/** Hosts keep each version in a folder of its own: another content needs another number. */
function versionOf(content: Readonly<Record<string, Uint8Array>>): string {
  const hash = createHash('sha256').update(JSON.stringify(MANIFEST))
  for (const file of Object.values(content)) hash.update(file)
  return `1.0.${hash.digest().readUInt32BE() >>> 1}`
}
