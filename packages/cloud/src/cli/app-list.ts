import { type Command, print, readArguments } from './command.ts'
import { withOperator } from './operator.ts'
import { listRemoteApps } from './remote/app-commands.ts'
import { openClient, REMOTE_OPTIONS, requestedUrl } from './remote/remote-command.ts'
import { formatTable } from './table.ts'

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
      return undefined
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
      return undefined
    }
    const rows = apps.map((app) => [
      app.packageName,
      app.name,
      app.appType,
      app.appStoreStatus,
      app.publicUrl,
    ])
    print(input, formatTable([['PACKAGE', 'NAME', 'TYPE', 'STATUS', 'SERVER'], ...rows]))
    return undefined
  },
}
