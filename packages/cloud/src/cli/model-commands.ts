import { access } from 'node:fs/promises'
import { pino } from 'pino'
import { type ClosableBlobStore, DiskSpace, openBlobStore } from '../blobs/index.ts'
import type { Config } from '../config/index.ts'
import { inTransaction } from '../db/index.ts'
import { recordOperatorAct } from '../features/audit/index.ts'
import {
  catalogueModels,
  createSpeechModelTools,
  deleteBlobs,
  fetchManifest,
  type ModelManifest,
  newInstallId,
  openLocalSource,
  readLocalManifest,
  readManifest,
  requestInstall,
  type SpeechModel,
  sizeOf,
  verifyModels,
} from '../features/speech-models/index.ts'
import { systemClock } from '../time/index.ts'
import {
  type Command,
  CommandError,
  type CommandInput,
  formatTable,
  print,
  readArguments,
  textOption,
  UsageError,
} from './command.ts'
import { type Operator, withOperator } from './operator.ts'

/** Interval between lines that tell the progress. */
const PROGRESS_INTERVAL_MS = 5_000

/** A model and what is known about it in this cloud. */
interface ListedModel {
  readonly model: ModelManifest | SpeechModel
  readonly state: 'available' | 'installing' | 'failed' | 'installed'
  readonly failure?: string | undefined
}

type Tools = ReturnType<typeof createSpeechModelTools>

const modelsList: Command = {
  name: 'models list',
  args: '[--json]',
  summary: 'List the speech models of the catalogue, and those that are installed or being installed',
  options: { json: { type: 'boolean' } },
  async run(input) {
    readArguments(input, [])
    const listed = await withTools(input.config(), async (_, { store }) => {
      const installations = await store.listInstallations(Date.now())
      const installed = await store.listInstalled()
      const states = new Map<string, ListedModel>()
      for (const { id, manifest: model, isFailed, failure } of installations)
        states.set(id, { model, state: isFailed ? 'failed' : 'installing', failure })
      for (const { model } of installed) states.set(model.id, { model, state: 'installed' })
      const available = catalogueModels()
        .filter(({ id }) => !states.has(id))
        .map((model): ListedModel => ({ model, state: 'available' }))
      return [...states.values(), ...available].map(({ model, state, failure }) => {
        const { id, name, kind, languages, license } = model
        const bytes = sizeOf(model) ?? null
        return { id, state, kind, languages, bytes, license: license.name, name, ...(failure && { failure }) }
      })
    })
    if (input.values.json === true) {
      print(input, JSON.stringify(listed))
      return
    }
    const rows = listed.map(({ id, state, kind, languages, bytes, license, name }) => {
      const spoken = languages.length > 6 ? `${languages.length} languages` : languages.join(' ')
      return [id, state, kind, spoken, bytes === null ? '-' : megabytes(bytes), license, name]
    })
    print(input, formatTable([['ID', 'STATE', 'KIND', 'LANGUAGES', 'SIZE', 'LICENSE', 'NAME'], ...rows]))
    for (const { id, failure } of listed) if (failure) print(input, `${id}: ${failure}`)
  },
}

const modelsAdd: Command = {
  name: 'models add',
  args: 'ID|URL|PATH [--files PATH]',
  summary:
    'Install a speech model: of the catalogue, of a manifest at an address, or of files on this machine',
  details: [
    'ID             a model of the catalogue; "models list" shows them with their licenses',
    'URL            address of a manifest (model.json); files without an address are beside it',
    'PATH           a folder, or a .tar or .tar.gz file, with a model.json and the files that it names',
    '--files PATH   take the files of ID from a folder or tar file, for machines without internet',
    'An interrupted download continues where it ended, by this command or by a running cloud.',
  ],
  options: { files: { type: 'string' } },
  async run(input) {
    const [what] = readArguments(input, ['ID|URL|PATH'])
    const files = textOption(input, 'files')
    return withTools(input.config(), async (operator, tools) => {
      const { folders, downloader, store, installer } = tools
      const listed = catalogueModels().find(({ id }) => id === what)
      if (files !== undefined && listed === undefined)
        throw new UsageError('--files needs the id of a model of the catalogue')
      const path = files ?? (listed === undefined && !isUrl(what) ? what : undefined)
      if (path === what && !(await exists(what)))
        throw new CommandError(`"${what}" is neither a model of the catalogue nor a file; see "models list"`)
      const folder = path === undefined ? undefined : await openLocalSource(path, () => folders.temporary())
      const manifest =
        listed ??
        (folder === undefined
          ? await fetchManifest(downloader, what)
          : requireManifest(await readLocalManifest(folder)))
      const { id } = manifest
      const source = folder === undefined ? 'web' : 'local'
      const now = Date.now()
      await inTransaction(operator.db, async (trx) => {
        const request = { manifest, source, installId: newInstallId(), owner: installer.owner } as const
        await requestInstall(store.within(trx), request, now)
        await recordOperatorAct(
          operator.audit.within(trx),
          { action: 'speech-model.install', target: id },
          now,
        )
      })
      const job = await store.findInstallation(id)
      if (job === undefined) throw new CommandError('The installation was canceled')
      const failure = await installer.run(job, folder, progressOf(input, manifest))
      if (failure !== undefined) throw new CommandError(failure)
      print(input, `${id} is installed. License: ${manifest.license.name} (${manifest.license.url})`)
      return 0
    })
  },
}

const modelsRemove: Command = {
  name: 'models remove',
  args: 'ID',
  summary: 'Remove an installed speech model, or cancel an installation',
  options: {},
  async run(input) {
    const [id] = readArguments(input, ['ID'])
    await withTools(input.config(), async ({ db, audit }, { store, folders }, blobs) => {
      const now = Date.now()
      const found = await inTransaction(db, async (trx) => {
        const within = store.within(trx)
        const canceled = await within.cancel(id)
        const removed = canceled ? undefined : await within.remove(id)
        if (!canceled && !removed) return undefined
        const action = canceled ? 'speech-model.cancel' : 'speech-model.remove'
        await recordOperatorAct(audit.within(trx), { action, target: id }, now)
        return { canceled, removed }
      })
      if (found === undefined)
        throw new CommandError(`The speech model "${id}" is neither installed nor being installed`)
      const { canceled, removed } = found
      // The node that runs an installation deletes its files when it ends.
      if (removed) {
        await folders.remove(removed)
        await deleteBlobs(blobs, id, removed.installId)
      } else if (canceled?.isFailed) {
        await folders.removeDownloads(canceled.installId)
        await deleteBlobs(blobs, id, canceled.installId)
      }
      print(input, removed ? `${id} is removed` : `The installation of ${id} is canceled`)
    })
  },
}

const modelsVerify: Command = {
  name: 'models verify',
  args: '',
  summary: 'Read every file of the installed speech models in the file store and compare it with its hash',
  options: {},
  async run(input) {
    readArguments(input, [])
    return withTools(input.config(), async (_, { store }, blobs) => {
      const installed = await store.listInstalled()
      if (installed.length === 0) print(input, 'No speech models are installed')
      let problems = 0
      for await (const { id, damaged } of verifyModels(installed, blobs)) {
        problems += damaged.length
        if (damaged.length === 0) print(input, `${id}: every file is right`)
        for (const { name, problem } of damaged) print(input, `${id}: ${name} is ${problem}`)
      }
      if (problems === 0) return 0
      input.io.stderr.write('Remove the models with missing or damaged files, and install them again.\n')
      return 1
    })
  },
}

export const modelCommands: readonly Command[] = [modelsList, modelsAdd, modelsRemove, modelsVerify]

async function withTools<Result>(
  config: Config,
  work: (operator: Operator, tools: Tools, blobs: ClosableBlobStore) => Promise<Result>,
): Promise<Result> {
  const log = pino({ level: 'silent' })
  const { dir, s3, diskReserveBytes } = config.data
  return withOperator(config, async (operator) => {
    const space = new DiskSpace(dir, diskReserveBytes)
    const blobs = await openBlobStore({ dataDir: dir, s3, space, log })
    const tools = createSpeechModelTools({ db: operator.db, blobs, config, clock: systemClock, log })
    // The timers of the system clock do not keep the process alive.
    const keepAlive = setInterval(() => {}, 1_000)
    try {
      return await work(operator, tools, blobs)
    } finally {
      clearInterval(keepAlive)
      await tools.folders.removeTemporary()
      await tools.downloader.close()
      await blobs.close()
    }
  })
}

function requireManifest(value: unknown): ModelManifest {
  const reading = readManifest(value)
  if (!reading.ok) throw new CommandError(reading.problems.join('\n'))
  return reading.manifest
}

/** Returns a function that prints the progress from time to time. */
function progressOf(input: CommandInput, manifest: ModelManifest): (received: number) => void {
  const size = sizeOf(manifest)
  const total = size === undefined ? '' : ` of ${megabytes(size)}`
  let printedAt = performance.now()
  return (received) => {
    if (performance.now() - printedAt < PROGRESS_INTERVAL_MS) return
    printedAt = performance.now()
    input.io.stderr.write(`${megabytes(received)}${total}\n`)
  }
}

const isUrl = (text: string) => /^https?:\/\//.test(text)

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
