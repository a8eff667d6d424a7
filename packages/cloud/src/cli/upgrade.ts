import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type BackupSource,
  createTarSink,
  newBackupId,
  openTarSource,
  readSecrets,
  rehearseRestore,
  writeBackup,
} from '../backup/index.ts'
import type { Config } from '../config/index.ts'
import {
  migrate,
  pendingMigrations,
  readDatabaseState,
  requireCompatible,
  THIS_PROGRAM,
} from '../db/index.ts'
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
  args: '[--check [--json] | --dry-run [BACKUP]]',
  summary: 'Migrate the database now, or show what the next start of this version does to it',
  details: [
    '--check                  measure the migrations on a copy of the data; changes nothing',
    '--dry-run [BACKUP]       restore a backup, by default one of the rows as they are now, into a temporary database,',
    '                         migrate that, and compare',
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
    if (dryRun) {
      if (input.positionals.length === 0)
        return withBackupOfRows(input, (source) => rehearseBackup(input, source))
      return rehearseBackup(input, await openSource(input, readArguments(input, ['BACKUP'])[0]))
    }
    readArguments(input, [])
    const options = databaseOf(input.config())
    if (check) {
      const plan = await checkUpgrade(options)
      print(input, input.values.json ? JSON.stringify(toJson(plan)) : describePlan(plan, Date.now()))
      return hasSpace(plan) ? undefined : 1
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

/** Backs up the rows, without files, into a temporary file. */
async function withBackupOfRows<Result>(
  input: CommandInput,
  work: (source: BackupSource) => Promise<Result>,
): Promise<Result> {
  const config = input.config()
  const options = databaseOf(config)
  const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-upgrade-'))
  try {
    const file = join(folder, 'rows.tar')
    const secrets = await readSecrets(config)
    await withExistingDatabase(options, async (db) => {
      requireCompatible(await readDatabaseState(db), THIS_PROGRAM)
      await writeBackup({
        ...{
          id: newBackupId(Date.now()),
          database: options,
          db,
          secrets,
          scratchFolder: folder,
          now: Date.now,
        },
        blobs: { get: async () => undefined },
        sink: await createTarSink(file, undefined),
        programVersion: THIS_PROGRAM.version,
      })
    })
    return await work(openTarSource(file, {}))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function databaseOf({ data }: Config) {
  return { databaseUrl: data.databaseUrl, dataDir: data.dir }
}

async function rehearseBackup(input: CommandInput, source: BackupSource): Promise<undefined> {
  const startedAt = performance.now()
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

/** @param now epoch ms */
export function describePlan(plan: UpgradePlan, now: number): string {
  const { database, version, migrations, oldestVersion, isRollingPossible, rehearsal } = plan
  const facts = [
    [
      'database',
      database === undefined
        ? 'new'
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
    describeSpace(plan),
    describeBackup(plan.lastBackup, now),
  ].join('\n')
}

/** Whether the migrations fit on the disk; true if it is unknown. */
function hasSpace({ freeBytes, rehearsal }: UpgradePlan): boolean {
  return freeBytes === undefined || freeBytes > (rehearsal?.extraBytes ?? 0)
}

function describeSpace(plan: UpgradePlan): string {
  const { freeBytes } = plan
  if (freeBytes === undefined) return 'Check that the disk of the PostgreSQL server has that space.'
  return hasSpace(plan)
    ? `That disk has ${formatMegabytes(freeBytes)} free.`
    : `That disk has only ${formatMegabytes(freeBytes)} free: the migration would fail and change nothing. Free space before.`
}

/** Age from which a backup is not the way back from an upgrade. */
const OLD_BACKUP_MS = 24 * 60 * 60_000

function describeBackup(lastBackup: UpgradePlan['lastBackup'], now: number): string {
  if (lastBackup === undefined) return 'There is no record of a backup. Make one before.'
  const age = now - lastBackup.at
  const hours = Math.floor(age / 3_600_000)
  const text = `The last good backup is ${hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`} old, at ${lastBackup.place}.`
  return age > OLD_BACKUP_MS ? `${text} Make one before.` : text
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
