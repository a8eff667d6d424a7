import { readFile } from 'node:fs/promises'
import { type Manifest, readManifest } from '@glasses-cloud/contract'
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
    const registered = await withOperator(input.config(), (operator) =>
      registerApp(operator, manifest, { rotate }),
    )
    print(input, JSON.stringify(registered))
    return undefined
  },
}

async function manifestIn(file: string): Promise<Manifest> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read (${error.code})`)
  })
  const reading = readManifest(parsed(text, file))
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
