import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import {
  type BackupHeader,
  type BackupKey,
  type BackupLock,
  type BackupSource,
  BackupStateStore,
  configuredLock,
  createBackupTask,
  createTarSink,
  keepLease,
  MIN_PASSPHRASE_LENGTH,
  newBackupId,
  openRepository,
  openTarSource,
  readPlace,
  readSecrets,
  rehearseRestore,
  restoreBackup,
  runBackup,
  writeBackup,
} from '../backup/index.ts'
import { DiskSpace, openBlobStore } from '../blobs/index.ts'
import { aboutCloud, type Config, readTextFile } from '../config/index.ts'
import { SAMPLE_PACKAGE } from '../features/sample-app/index.ts'
import { systemClock } from '../time/index.ts'
import {
  type Command,
  CommandError,
  type CommandInput,
  type CommandIo,
  formatTable,
  print,
  readArguments,
  textOption,
} from './command.ts'
import { withDatabase } from './operator.ts'

/** Help for the options that choose and decrypt a backup. */
export const SOURCE_DETAILS = [
  '--backup ID              one of several backups in a folder or bucket; default: the newest',
  '--identity FILE          private key of age (AGE-SECRET-KEY-1…), for a backup that is encrypted for its public key',
  '--passphrase-file FILE   first line is the passphrase; default: BACKUP_PASSPHRASE',
]

/** The options that choose and decrypt a backup. */
export const SOURCE_OPTIONS = {
  backup: { type: 'string' },
  identity: { type: 'string' },
  'passphrase-file': { type: 'string' },
} as const

export const backup: Command = {
  name: 'backup',
  args: '[--to FILE|FOLDER/|s3://BUCKET/PREFIX] [--encrypt] [--recipient age1…]… [--passphrase-file FILE] [--json]',
  summary: 'Back up rows, files and secrets, while the cloud runs or not',
  details: [
    '--to FILE                a new file, such as cloud.tar or cloud.tar.age',
    '--to FOLDER/, s3://…     a place with several backups, in which each file is stored once; default: BACKUP_TO',
    '--encrypt                encrypt with a passphrase that you type; default: BACKUP_RECIPIENT or BACKUP_PASSPHRASE',
    '--recipient age1…        encrypt for a public key of age; may be repeated',
    '--passphrase-file FILE   encrypt with the passphrase in the first line of a file',
    '--json                   machine-readable output',
    'A backup contains secrets and everything that users stored. Encrypt it unless only you can read the place.',
  ],
  options: {
    to: { type: 'string' },
    encrypt: { type: 'boolean' },
    recipient: { type: 'string', multiple: true },
    'passphrase-file': { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(input) {
    readArguments(input, [])
    const config = input.config()
    const to = textOption(input, 'to') ?? config.backup.to
    if (to === undefined) throw new CommandError('--to is missing: name a file or folder, or set BACKUP_TO')
    const lock = (await readLock(input)) ?? configuredLock(config)
    if (lock === undefined)
      input.io.stderr.write('The backup is not encrypted and contains secrets. See docs/backup.md.\n')
    // BACKUP_TO is always a place of several backups.
    const place = await readPlace(to)
    const written =
      place.kind === 'file' && textOption(input, 'to') !== undefined
        ? await backUpToFile(config, place.path, lock)
        : await backUpToRepository(config, to, lock)
    const { id, manifest, writtenBytes } = written
    const rows = sum(manifest.rows)
    const { files } = manifest
    if (input.values.json === true)
      print(input, JSON.stringify({ id, rows, files: files.count, missing: files.missing, writtenBytes }))
    else {
      print(
        input,
        `Backup ${id}: ${rows} rows and ${files.count} files, ${formatBytes(writtenBytes)} written to ${to}`,
      )
      if (files.missing > 0) print(input, missingFiles(files.missing))
    }
  },
}

export const verify: Command = {
  name: 'verify',
  args: 'FILE|FOLDER|s3://BUCKET/PREFIX [--backup ID] [--identity FILE] [--passphrase-file FILE] [--json]',
  summary: 'Check a backup by restoring it into a temporary database, without changing this cloud',
  details: [...SOURCE_DETAILS, '--json                   machine-readable output'],
  options: {
    backup: { type: 'string' },
    identity: { type: 'string' },
    'passphrase-file': { type: 'string' },
    json: { type: 'boolean' },
  },
  async run(input) {
    const [name] = readArguments(input, ['BACKUP'])
    const source = await openSource(input, name)
    await rehearseRestore(source, { scratchFolder: tmpdir() }, async ({ header, manifest, leftOut }) => {
      const { id, createdAt, programVersion, database } = header
      const { files, rows } = manifest
      if (input.values.json === true) {
        print(input, JSON.stringify({ id, createdAt, programVersion, database, rows, files, leftOut }))
        return
      }
      const tables = Object.entries(rows).filter(([, count]) => count > 0)
      print(
        input,
        formatTable([
          ['backup', id],
          ['made', `${createdAt} by version ${programVersion} on ${database}`],
          ...tables.map(([name, count]) => [name, `${count} rows`]),
          ['files', `${files.count}, ${formatBytes(files.bytes)}`],
        ]),
      )
      if (files.deleted > 0) print(input, `${files.deleted} files were deleted while the backup was made.`)
      if (files.missing > 0) print(input, missingFiles(files.missing))
      for (const line of describeLeftOut(header, leftOut)) print(input, line)
      print(input, 'The backup is complete: every hash, row, reference and file is right.')
    })
  },
}

export const restore: Command = {
  name: 'restore',
  args: 'FILE|FOLDER|s3://BUCKET/PREFIX [--backup ID] [--identity FILE] [--passphrase-file FILE]',
  summary: 'Restore a backup into this cloud, which must be empty and stopped',
  details: [
    ...SOURCE_DETAILS,
    'The database may be another than that of the backup: this is also the way from SQLite to PostgreSQL and back.',
  ],
  options: {
    backup: { type: 'string' },
    identity: { type: 'string' },
    'passphrase-file': { type: 'string' },
  },
  async run(input) {
    const [name] = readArguments(input, ['BACKUP'])
    const config = input.config()
    const { databaseUrl, dir } = config.data
    const source = await openSource(input, name)
    const { header, manifest } = await withBlobs(config, (blobs) =>
      restoreBackup({
        source,
        database: { databaseUrl, dataDir: dir },
        blobs,
        configuredSecrets: [config.auth.secret, config.auth.previousSecret].filter(
          (secret) => secret !== undefined,
        ),
        samplePackage: SAMPLE_PACKAGE,
        scratchFolder: tmpdir(),
        space: config.data.s3 === undefined ? new DiskSpace(dir, config.data.diskReserveBytes) : undefined,
        onChecked({ header, leftOut }) {
          for (const line of [...describeLeftOut(header, leftOut), 'The backup is complete. Restoring it.'])
            input.io.stderr.write(`${line}\n`)
        },
      }),
    )
    print(
      input,
      `Restored ${header.id}: ${sum(manifest.rows)} rows and ${manifest.files.count} files. You can start the cloud now.`,
    )
  },
}

function backUpToFile(config: Config, file: string, lock: BackupLock | undefined) {
  const { dir, databaseUrl, diskReserveBytes } = config.data
  return withBlobs(config, (blobs) =>
    withDatabase(config, async (db) =>
      writeBackup({
        id: newBackupId(Date.now()),
        database: { databaseUrl, dataDir: dir },
        db,
        blobs,
        secrets: await readSecrets(config),
        sink: await createTarSink(file, lock, new DiskSpace(dirname(file), diskReserveBytes)),
        programVersion: aboutCloud(config).version,
        now: Date.now,
        scratchFolder: tmpdir(),
      }),
    ),
  )
}

/** Backs up into a folder or bucket while this process has its lease. */
function backUpToRepository(config: Config, to: string, lock: BackupLock | undefined) {
  return withDatabase(config, async (db) => {
    const states = new BackupStateStore(db)
    const owner = randomUUID()
    if (!(await states.claim(owner)))
      throw new CommandError('A backup is being made by another process; try again when it has ended')
    const lost = new AbortController()
    const lease = keepLease(states, owner, systemClock, () => lost.abort(new Error('The lease was lost')))
    const isConfigured = to === config.backup.to
    try {
      const task = createBackupTask(config, to, await readSecrets(config), lock, aboutCloud(config).version)
      const written = await runBackup(task, owner, lost.signal)
      const { id, bytes, place } = written
      if (isConfigured) await states.succeed(owner, { id, bytes, place })
      return written
    } catch (error) {
      if (isConfigured) await states.fail(owner, error instanceof Error ? error.message : String(error))
      throw error
    } finally {
      lease.stop()
      await states.release(owner)
    }
  })
}

/** Opens a backup in a file, a folder or a bucket. */
export async function openSource(input: CommandInput, name: string): Promise<BackupSource> {
  const key = await readKey(input)
  const id = textOption(input, 'backup')
  const place = await readPlace(name)
  if (place.kind === 'file') {
    if (id !== undefined)
      throw new CommandError('--backup chooses a backup of a folder or bucket, not of a file')
    return openTarSource(place.path, key)
  }
  const { s3 } = input.config().backup
  return (await openRepository(place, s3, pino({ level: 'silent' }))).source(id, key)
}

const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((all, each) => all + each, 0)

/** Describes what this version does not restore from the backup of a newer one. */
function describeLeftOut({ databaseVersion: { version } }: BackupHeader, leftOut: readonly string[]) {
  if (leftOut.length === 0) return []
  return [
    `Version ${version} stored what this version does not restore: ${leftOut.join(', ')}. To keep it, restore the backup with version ${version} or a later one; this version can then use the database.`,
  ]
}

const missingFiles = (count: number) =>
  `${count} files that rows name were missing in the file store of the cloud, so they are not in the backup.`

/** Formats bytes as B, KiB, MiB or GiB. */
function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10))
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}

async function withBlobs<Result>(
  { data }: Config,
  work: (blobs: Awaited<ReturnType<typeof openBlobStore>>) => Promise<Result>,
): Promise<Result> {
  const log = pino({ level: 'silent' })
  const blobs = await openBlobStore({ dataDir: data.dir, s3: data.s3, log })
  try {
    return await work(blobs)
  } finally {
    await blobs.close()
  }
}

async function readLock(input: CommandInput): Promise<BackupLock | undefined> {
  const recipients = [input.values.recipient ?? []].flat().map(String)
  const file = textOption(input, 'passphrase-file')
  if (recipients.length > 0) {
    if (file !== undefined || input.values.encrypt === true)
      throw new CommandError('A backup is encrypted either for --recipient or with a passphrase')
    return { recipients }
  }
  if (file === undefined && input.values.encrypt !== true) return undefined
  const passphrase =
    file === undefined ? await readPassphrase(input.io, { twice: true }) : await firstLine(file)
  if (passphrase.length < MIN_PASSPHRASE_LENGTH)
    throw new CommandError(`A passphrase needs at least ${MIN_PASSPHRASE_LENGTH} characters`)
  return { passphrase }
}

/** An explicit key, or the passphrase of the settings. */
async function readKey(input: CommandInput): Promise<BackupKey> {
  const identity = textOption(input, 'identity')
  const file = textOption(input, 'passphrase-file')
  const lines = identity === undefined ? [] : (await readText(identity)).split('\n')
  const configured = () => (identity === undefined ? input.config().backup.passphrase : undefined)
  return {
    identities: lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#')),
    passphrase: file === undefined ? configured() : await firstLine(file),
  }
}

async function firstLine(file: string): Promise<string> {
  return (await readText(file)).split('\n', 1)[0] ?? ''
}

function readText(file: string): Promise<string> {
  return readTextFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read (${error.code})`)
  })
}

/**
 * Reads a passphrase: on a terminal without showing it, otherwise as a line of standard input.
 * @param options.twice on a terminal, asks twice, since nobody sees what was typed
 */
async function readPassphrase(
  { stdin, stderr }: CommandIo,
  options: { readonly twice?: boolean } = {},
): Promise<string> {
  const isTerminal = (stdin as NodeJS.ReadStream).isTTY === true
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: nowhere, terminal: isTerminal })
  const iterator = lines[Symbol.asyncIterator]()
  const ask = async (question: string): Promise<string> => {
    if (isTerminal) stderr.write(question)
    const { value } = await iterator.next()
    if (isTerminal) stderr.write('\n')
    if (typeof value !== 'string' || value === '')
      throw new CommandError('The passphrase is missing; type it, or name a file with --passphrase-file')
    return value
  }
  try {
    const passphrase = await ask('Passphrase: ')
    if (isTerminal && options.twice && (await ask('Passphrase once more: ')) !== passphrase)
      throw new CommandError('The two passphrases are not the same')
    return passphrase
  } finally {
    lines.close()
  }
}
