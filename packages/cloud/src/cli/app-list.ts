import { type Command, print, readArguments } from './command.ts'
import { withOperator } from './operator.ts'
import { formatTable } from './table.ts'

export const appList: Command = {
  name: 'app list',
  args: '[--json]',
  summary: 'List the registered apps',
  options: { json: { type: 'boolean' } },
  async run(input) {
    readArguments(input, [])
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
