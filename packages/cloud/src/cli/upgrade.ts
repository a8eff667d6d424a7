import { tmpdir } from 'node:os'
import { rehearseRestore } from '../backup/index.ts'
import type { Config } from '../config/index.ts'
import { migrate, pendingMigrations, readDatabaseState, THIS_PROGRAM } from '../db/index.ts'
import {
  checkUpgrade,
  findLosses,
  planned,
  type UpgradePlan,
  withExistingDatabase,
} from '../upgrade/index.ts'
import { openSource, SOURCE_DETAILS, SOURCE_OPTIONS } from './backup-commands.ts'
import {
  type Command,
  CommandError,
  type CommandInput,
  formatTable,
  print,
  readArguments,
  UsageError,
} from './command.ts'

export const upgrade: Command = {
  name: 'upgrade',
  args: '[--check [--json] | --dry-run BACKUP]',
  summary: 'Migrate the database now, or show what the next start of this version does to it',
  details: [
    '--check                  measure the migrations on a copy of the data; changes nothing',
    '--dry-run BACKUP         restore a backup into a temporary database, migrate that, and compare',
    '--json                   machine-readable output of --check',
    ...SOURCE_DETAILS,
    'Without options, the migrations run that the start of the cloud would run.',
  ],
  options: {
    check: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    json: { type: 'boolean' },
    ...SOURCE_OPTIONS,
  },
  async run(input) {
    const { check, 'dry-run': dryRun } = input.values
    if (check && dryRun) throw new UsageError('--check and --dry-run exclude each other')
    if (dryRun) return rehearseBackup(input, readArguments(input, ['BACKUP'])[0])
    readArguments(input, [])
    const options = databaseOf(input.config())
    if (check) {
      const plan = await checkUpgrade(options)
      print(input, input.values.json ? JSON.stringify(toJson(plan)) : describe(plan))
      return undefined
    }
    await withExistingDatabase(options, async (db) => {
      const pending = planned(pendingMigrations(await readDatabaseState(db), THIS_PROGRAM))
      await migrate(db)
      for (const { name, summary } of pending) print(input, `${name}  ${summary}`)
      print(input, `The database is ready for version ${THIS_PROGRAM.version}.`)
    })
    return undefined
  },
}

function databaseOf({ data }: Config) {
  return { databaseUrl: data.databaseUrl, dataDir: data.dir }
}

async function rehearseBackup(input: CommandInput, file: string): Promise<undefined> {
  const startedAt = performance.now()
  const source = await openSource(input, file)
  await rehearseRestore(source, { scratchFolder: tmpdir() }, async ({ header, manifest, db }) => {
    const losses = await findLosses(db, manifest.rows)
    if (losses.length > 0) throw new CommandError(`The migrations lose data:\n${losses.join('\n')}`)
    const ran = planned(pendingMigrations({ applied: header.migrations, version: undefined }, THIS_PROGRAM))
    for (const { name, summary } of ran) print(input, `${name}  ${summary}`)
    const rows = Object.values(manifest.rows).reduce((sum, count) => sum + count, 0)
    print(
      input,
      `The backup of version ${header.programVersion} was restored into a temporary SQLite database and migrated to ` +
        `version ${THIS_PROGRAM.version} in ${formatDuration(performance.now() - startedAt)}: ${rows} rows and ` +
        'their references are complete.',
    )
  })
}

function describe(plan: UpgradePlan): string {
  const { database, version, migrations, oldestVersion, isRollingPossible, rehearsal } = plan
  const facts = [
    [
      'database',
      database === undefined
        ? 'written before version 1.0.0'
        : `written by version ${database.version} (${new Date(database.writtenAt).toISOString()})`,
    ],
    ['this program', `version ${version}`],
  ]
  if (rehearsal === undefined)
    return [
      formatTable(facts),
      'No migrations: you can start this version, and go back by starting the earlier one.',
    ].join('\n')
  const total = [...rehearsal.durationsMs.values()].reduce((sum, ms) => sum + ms, 0)
  const steps = migrations.map(({ name, summary }) => [
    name,
    formatDuration(rehearsal.durationsMs.get(name) ?? 0),
    summary,
  ])
  return [
    formatTable(facts),
    'Migrations that the next start runs:',
    formatTable(steps),
    `Together ${formatDuration(total)}, and ${formatMegabytes(rehearsal.extraBytes)} more on the disk of the database. ${rehearsal.method}`,
    isRollingPossible
      ? 'Nodes can be replaced one at a time; going back is starting the earlier version.'
      : `Stop all nodes before: afterwards, version ${oldestVersion} is the oldest that can use the database. Going back is restoring a backup.`,
    plan.lastBackup === undefined
      ? 'There is no record of a backup. Make one before.'
      : `The last backup is of ${new Date(plan.lastBackup.at).toISOString()}, at ${plan.lastBackup.place}. Make one before if it is not recent.`,
  ].join('\n')
}

function toJson({ rehearsal, migrations, ...plan }: UpgradePlan): object {
  return {
    ...plan,
    migrations: migrations.map((migration) => ({
      ...migration,
      durationMs: Math.round(rehearsal?.durationsMs.get(migration.name) ?? 0),
    })),
    extraBytes: rehearsal?.extraBytes ?? 0,
    method: rehearsal?.method,
  }
}

function formatDuration(ms: number): string {
  return ms < 1_000 ? `${Math.ceil(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}

function formatMegabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`
}
