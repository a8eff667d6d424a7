import { type Manifest, parseManifest, SLUG_PATTERN } from '@glasses-cloud/contract'
import { type App, registerApp } from '../features/catalogue/index.ts'
import { normalizeEmail } from '../identity/index.ts'
import {
  type Command,
  CommandError,
  formatTable,
  print,
  readArguments,
  readJsonFile,
  textOption,
  UsageError,
} from './command.ts'
import { withOperator } from './operator.ts'
import { listRemoteApps } from './remote/app-commands.ts'
import { openClient, REMOTE_OPTIONS, requestedUrl } from './remote/remote-command.ts'
import { requireConfirmed } from './user-commands.ts'

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

export const appList: Command = {
  name: 'app list',
  args: '[--url URL] [--json]',
  summary: 'List the registered apps in the local database, or your apps over HTTP',
  details: [
    '--url URL   list the apps of the signed-in user on this cloud; so does GLASSES_CLOUD_URL',
    '--json      machine-readable output',
  ],
  options: REMOTE_OPTIONS,
  async run(input) {
    readArguments(input, [])
    if (requestedUrl(input) !== undefined) {
      const client = await openClient(input)
      input.io.stderr.write(`Your apps on ${client.url}\n`)
      await listRemoteApps(input, client)
      return
    }
    const apps = await withOperator(input.config(), (operator) => operator.apps.list())
    if (input.values.json === true) {
      const listed = apps.map(({ packageName, name, appType, appStoreStatus, publicUrl, organization }) => {
        return {
          packageName,
          name,
          appType,
          appStoreStatus,
          publicUrl,
          organization: organization?.slug ?? null,
        }
      })
      print(input, JSON.stringify(listed))
      return
    }
    const rows = apps.map((app) => [
      app.packageName,
      app.name,
      app.appType,
      app.appStoreStatus,
      app.publicUrl,
    ])
    print(input, formatTable([['PACKAGE', 'NAME', 'TYPE', 'STATUS', 'SERVER'], ...rows]))
  },
}

interface Member {
  readonly email: string
  readonly role: 'admin' | 'member'
}

export const orgAdd: Command = {
  name: 'org add',
  args: 'SLUG [--name NAME] [--member EMAIL[:admin]]…',
  summary: 'Create an organization, or rename it and add members',
  details: [
    '--name NAME              display name; default: the slug',
    '--member EMAIL[:admin]   member to add, created if there is no such user; may be repeated',
  ],
  options: { name: { type: 'string' }, member: { type: 'string', multiple: true } },
  async run(input) {
    const [slug] = readArguments(input, ['SLUG'])
    if (!new RegExp(SLUG_PATTERN).test(slug)) {
      throw new UsageError(`Invalid slug "${slug}": use lower-case letters, digits and hyphens`)
    }
    const name = textOption(input, 'name')
    const members = [input.values.member ?? []].flat().map(String).map(parseMember)
    await withOperator(input.config(), async ({ organizations, users }) => {
      const now = Date.now()
      const { id } = await organizations.ensure(slug, { name }, now)
      for (const { email, role } of members) {
        const user = await users.findOrCreate(email, now)
        requireConfirmed(user)
        await organizations.addMember(id, user.id, role, now)
      }
      print(input, JSON.stringify({ id, slug, members }))
    })
  },
}

function parseMember(text: string): Member {
  const [address = '', role = 'member', ...more] = text.split(':')
  const email = normalizeEmail(address)
  if (email === undefined || more.length > 0 || (role !== 'admin' && role !== 'member')) {
    throw new UsageError(`--member must be EMAIL or EMAIL:admin (got "${text}")`)
  }
  return { email, role }
}
