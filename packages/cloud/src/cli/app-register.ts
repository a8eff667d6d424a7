import { type Manifest, parseManifest } from '@glasses-cloud/contract'
import { type App, registerApp } from '../features/catalogue/index.ts'
import { type Command, CommandError, print, readArguments } from './command.ts'
import { withOperator } from './operator.ts'
import { readJsonFile } from './read-json-file.ts'

/** Prints one JSON object: `{ packageName, apiKey }`. */
export const appRegister: Command = {
  name: 'app register',
  args: 'MANIFEST.json [--rotate]',
  summary: 'Register or update an app; prints its package name and its API key if one was generated',
  details: [
    'A new app gets an API key, which is shown only once. For a registered app apiKey is null; its key is unchanged.',
    'Fields that the manifest omits keep their values.',
    '--rotate   generate a new key; the previous one remains valid until the next rotation',
  ],
  options: { rotate: { type: 'boolean' } },
  async run(input) {
    const [file] = readArguments(input, ['MANIFEST.json'])
    const manifest = await loadManifest(file)
    const rotate = input.values.rotate === true
    const config = input.config()
    await withOperator(config, async (operator) => {
      print(input, JSON.stringify(await registerApp(operator, manifest, Date.now(), { rotate })))
      if (manifest.webviewURL)
        input.io.stderr.write(
          'For signed web view tokens, set MENTRAOS_CLOUD_USER_TOKEN_PUBLIC_KEY of the app to the output of "cli -- public-key", and OAUTH_ISSUER of the cloud to https://prod.augmentos.cloud (docs/webviews.md).\n',
        )
      const app = await operator.apps.findByPackage(manifest.packageName)
      if (app && isHidden(app) && !config.apps.system.includes(app.packageName)) {
        input.io.stderr.write(
          `No user can see ${app.packageName}. Add a developerId (the e-mail address of its developer), an organization or "appStoreStatus": "PUBLISHED" to its manifest.\n`,
        )
      }
    })
    return undefined
  },
}

/** Returns whether the app is invisible to every user who has not installed it. */
function isHidden({ appStoreStatus, developerId, organization }: App): boolean {
  return appStoreStatus !== 'PUBLISHED' && !developerId && organization === null
}

async function loadManifest(file: string): Promise<Manifest> {
  const reading = parseManifest(await readJsonFile(file))
  if (reading.ok) return reading.manifest
  throw new CommandError(reading.problems.map((problem) => `${file}: ${problem}`).join('\n'))
}
