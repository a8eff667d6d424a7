import { posix } from 'node:path'
import { Visitor } from 'oxc-parser'
import { type Import, importsOf } from './imports.ts'
import { type Complaint, complaint, isTestFile, type SourceFile, sourceFiles } from './project.ts'

const cloudSource = 'packages/cloud/src/'
const sessionFolder = `${cloudSource}session/`
const compositionRoot = `${cloudSource}cloud.ts`

/** Modules of Node that compute and reach nothing outside the process. */
const pureModules = [
  'node:assert',
  'node:assert/strict',
  'node:buffer',
  'node:events',
  'node:module',
  'node:util',
  'node:url',
]

/** Folders of the cloud that are no features but common ground, or an entrance's own: they are entered file by file. */
const openFolders = ['http', 'cli']

/** What each part may import of ours, beside itself. Tests and benchmarks may import everything. */
const mayImport: readonly [folder: string, packages: readonly string[]][] = [
  ['packages/contract/', []],
  ['packages/glasses/src/demo/', ['contract', 'cloud']],
  ['packages/glasses/', ['contract']],
  ['packages/cloud/src/cli', ['contract', 'glasses']],
  ['packages/cloud/', ['contract']],
  ['packages/console/', ['contract']],
  ['apps/', []],
]

/** Where the environment may be read: the configuration, and programs that are not the cloud. */
const mayReadEnvironment = [
  `${cloudSource}config/`,
  'packages/glasses/src/demo/',
  'packages/glasses/src/terminal/',
  'apps/',
  'bench/',
  'scripts/',
]

const queryBuilders = ['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'replaceInto', 'mergeInto']

/** What makes a session's run depend on more than its input. Only its clock may read the machine's. */
const impureCalls = ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'fetch']
const impureMembers = [
  'Date.now',
  'Math.random',
  'performance.now',
  'crypto.randomUUID',
  'crypto.getRandomValues',
]

/** Holds the project against the boundaries of docs/architecture.md. */
export function checkBoundaries(root: string): Complaint[] {
  const files = sourceFiles(root)
  const known = new Set(files.map(({ path }) => path))
  return files.flatMap((file) => [
    ...importsOf(file).flatMap((imported) =>
      importComplaints(file, imported, known).map((sentence) =>
        complaint(file.path, file.text, imported.offset, sentence),
      ),
    ),
    ...(isTestFile(file.path) ? [] : [...environment(file), ...sql(file), ...purity(file)]),
  ])
}

function importComplaints({ path }: SourceFile, imported: Import, known: Set<string>): string[] {
  const { specifier, file } = imported
  const sentences: (string | undefined)[] = [
    file === undefined ? undefined : leavesPackage(path, file),
    ofOurs(path, specifier),
    intoCompositionRoot(path, imported),
    ...(isTestFile(path)
      ? []
      : [
          file !== undefined && isTestFile(file) && !path.startsWith('scripts/')
            ? `${file} is there for tests: nothing that runs may import it.`
            : undefined,
          file === undefined ? undefined : intoFeature(path, file, known),
          intoPure(path, imported),
          intoDatabase(path, imported),
        ]),
  ]
  return sentences.filter((sentence) => sentence !== undefined)
}

/** `packages/cloud`, `apps/captions`, `bench`, … */
function packageOf(path: string): string {
  return /^(?:(?:packages|apps)\/[^/]+|[^/]+)/.exec(path)?.[0] ?? ''
}

function leavesPackage(path: string, file: string): string | undefined {
  if (packageOf(path) === packageOf(file)) return undefined
  return `${file} is in another package: import that package by its name.`
}

function ofOurs(path: string, specifier: string): string | undefined {
  const name = /^@glasses-cloud\/([^/]+)/.exec(specifier)?.[1]
  if (name === undefined || packageOf(path) === `packages/${name}` || isTestFile(path)) return undefined
  const [folder, allowed] = mayImport.find(([start]) => path.startsWith(start)) ?? []
  if (folder === undefined || allowed?.includes(name)) return undefined
  const what = allowed?.length === 0 ? 'nothing of ours' : `only ${allowed?.join(' and ')}`
  return `${folder} imports ${what}, not ${specifier}.`
}

function intoCompositionRoot(path: string, { specifier, file }: Import): string | undefined {
  if (file !== compositionRoot && specifier !== '@glasses-cloud/cloud') return undefined
  const allowed =
    isTestFile(path) ||
    [`${cloudSource}main.ts`, `${cloudSource}cli.ts`].includes(path) ||
    ['bench/', 'packages/glasses/src/demo/'].some((folder) => path.startsWith(folder))
  return allowed ? undefined : 'Only main.ts, cli.ts, tests, benchmarks and the demo import cloud.ts.'
}

function intoFeature(path: string, file: string, known: Set<string>): string | undefined {
  if (!path.startsWith(cloudSource) || !file.startsWith(cloudSource)) return undefined
  const from = moduleOf(path)
  const into = moduleOf(file)
  if (into === '' || from === into || posix.basename(file) === 'index.ts') return undefined
  const index = `${posix.dirname(file)}/index.ts`
  if (openFolders.includes(into) && !known.has(index)) return undefined
  return `${file} belongs to ${into}/: import ${openFolders.includes(into) ? index : `${cloudSource}${into}/index.ts`}.`
}

/** The folder of the cloud that a file belongs to, such as `http` or `features/gallery`; empty at the root. */
function moduleOf(path: string): string {
  const segments = path.slice(cloudSource.length).split('/').slice(0, -1)
  return segments.slice(0, segments[0] === 'features' ? 2 : 1).join('/')
}

function intoPure(path: string, { specifier, file }: Import): string | undefined {
  const isSession = path.startsWith(sessionFolder)
  if (!isSession && !path.startsWith('packages/contract/')) return undefined
  if (specifier.startsWith('node:')) {
    return pureModules.includes(specifier)
      ? undefined
      : `No I/O here: ${specifier} reaches outside the process.`
  }
  if (!isSession || file?.startsWith(sessionFolder) || /^@glasses-cloud\/contract(\/|$)/.test(specifier))
    return undefined
  return `session/ imports only contract, not ${specifier}.`
}

function holdsSql(path: string): boolean {
  return path.endsWith('-store.ts') || path.startsWith(`${cloudSource}db/`)
}

function intoDatabase(path: string, { specifier, typeOnly }: Import): string | undefined {
  if (typeOnly || holdsSql(path) || !['kysely', 'pg', 'node:sqlite'].includes(specifier)) return undefined
  return `Only *-store.ts files and db/ reach the database, so only they import ${specifier} (types are free).`
}

function environment({ path, text, parsed }: SourceFile): Complaint[] {
  if (!path.startsWith('packages/') || mayReadEnvironment.some((folder) => path.startsWith(folder))) return []
  const complaints: Complaint[] = []
  const complain = (offset: number) =>
    complaints.push(
      complaint(path, text, offset, 'Only config/ reads the environment: take it as a parameter.'),
    )
  new Visitor({
    MemberExpression: ({ object, property, start }) => {
      if (object.type !== 'Identifier' || object.name !== 'process') return
      const name =
        property.type === 'Identifier' ? property.name : property.type === 'Literal' ? property.value : ''
      if (name === 'env') complain(start)
    },
    ImportSpecifier: ({ imported, start }) => {
      if (imported.type === 'Identifier' && imported.name === 'env') complain(start)
    },
    VariableDeclarator: ({ id, init, start }) => {
      if (init?.type !== 'Identifier' || init.name !== 'process' || id.type !== 'ObjectPattern') return
      if (text.slice(id.start, id.end).includes('env')) complain(start)
    },
  }).visit(parsed.program)
  return complaints
}

function sql({ path, text, parsed }: SourceFile): Complaint[] {
  if (!/^(packages|apps|bench)\//.test(path) || holdsSql(path)) return []
  const complaints: Complaint[] = []
  const complain = (offset: number) =>
    complaints.push(complaint(path, text, offset, 'SQL belongs into a *-store.ts file (or db/).'))
  new Visitor({
    TaggedTemplateExpression: ({ tag, start }) => {
      if (tag.type === 'Identifier' && tag.name === 'sql') complain(start)
    },
    CallExpression: ({ callee, start }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      if (queryBuilders.includes(callee.property.name)) complain(start)
    },
  }).visit(parsed.program)
  return complaints
}

function purity({ path, text, parsed }: SourceFile): Complaint[] {
  if (!path.startsWith(sessionFolder) || path === `${sessionFolder}clock.ts`) return []
  const complaints: Complaint[] = []
  const complain = (offset: number, what: string) =>
    complaints.push(
      complaint(
        path,
        text,
        offset,
        `The session is handed its clock, randomness and ports; ${what} is not among them.`,
      ),
    )
  new Visitor({
    CallExpression: ({ callee, start }) => {
      if (callee.type === 'Identifier' && impureCalls.includes(callee.name)) complain(start, callee.name)
    },
    MemberExpression: ({ object, property, start }) => {
      if (object.type !== 'Identifier' || property.type !== 'Identifier') return
      const name = `${object.name}.${property.name}`
      if (impureMembers.includes(name) || object.name === 'process' || object.name === 'console')
        complain(start, name)
    },
    NewExpression: ({ callee, arguments: given, start }) => {
      if (callee.type === 'Identifier' && callee.name === 'Date' && given.length === 0)
        complain(start, 'new Date()')
    },
  }).visit(parsed.program)
  return complaints
}
