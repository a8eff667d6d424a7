import { argumentsOf, type Command, print } from './command.ts'
import { withOperator } from './operator.ts'
import { table } from './table.ts'

/** Every registered app. */
export const appList: Command = {
  name: 'app list',
  args: '[--json]',
  summary: 'List the registered apps',
  options: { json: { type: 'boolean' } },
  async run(input) {
    argumentsOf(input, [])
    const apps = await withOperator(input.config(), (operator) => operator.apps.list())
    if (input.values.json === true) {
      const shown = apps.map(({ packageName, name, appType, appStoreStatus, publicUrl, organization }) => {
        return {
          packageName,
          name,
          appType,
          appStoreStatus,
          publicUrl,
          organization: organization?.slug ?? null,
        }
      })
      print(input, JSON.stringify(shown))
      return undefined
    }
    const rows = apps.map((app) => [
      app.packageName,
      app.name,
      app.appType,
      app.appStoreStatus,
      app.publicUrl,
    ])
    print(input, table([['PACKAGE', 'NAME', 'TYPE', 'STATUS', 'SERVER'], ...rows]))
    return undefined
  },
}
