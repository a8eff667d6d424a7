import { readFile } from 'node:fs/promises'
import { type Manifest, parseManifest } from '@glasses-cloud/contract'
import type { App } from '../features/catalogue/index.ts'
import { argumentsOf, type Command, CommandError, print } from './command.ts'
import { withOperator } from './operator.ts'
import { registerApp } from './register-app.ts'

/** Prints exactly one JSON object, `{ packageName, apiKey }`. */
export const appRegister: Command = {
  name: 'app register',
  args: 'MANIFEST.json [--rotate]',
  summary: 'Register an app, or update it; prints its package name and, when one was made, its API key',
  details: [
    'A new app gets a key, which is shown this once. Of a known app apiKey is null: its key is not changed.',
    'Fields the manifest leaves out keep the value they have.',
    '--rotate   makes a new key; the one before goes on working until the next rotation',
  ],
  options: { rotate: { type: 'boolean' } },
  async run(input) {
    const [file] = argumentsOf(input, ['MANIFEST.json'])
    const manifest = await manifestIn(file)
    const rotate = input.values.rotate === true
    const config = input.config()
    await withOperator(config, async (operator) => {
      print(input, JSON.stringify(await registerApp(operator, manifest, { rotate })))
      const app = await operator.apps.findByPackage(manifest.packageName)
      if (app && isHidden(app) && !config.apps.system.includes(app.packageName)) {
        input.io.stderr.write(
          `Nobody can find ${app.packageName}: its manifest needs a developerId (the e-mail address of who may see it), an organization, or "appStoreStatus": "PUBLISHED".\n`,
        )
      }
    })
    return undefined
  },
}

/** Whether no user may see the app, unless it was installed while they might. */
function isHidden({ appStoreStatus, developerId, organization }: App): boolean {
  return appStoreStatus !== 'PUBLISHED' && !developerId && organization === null
}

async function manifestIn(file: string): Promise<Manifest> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read (${error.code})`)
  })
  const reading = parseManifest(parsed(text, file))
  if (reading.ok) return reading.manifest
  throw new CommandError(reading.problems.map((problem) => `${file}: ${problem}`).join('\n'))
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandError(`${file} is no JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}
