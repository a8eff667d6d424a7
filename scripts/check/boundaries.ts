import { posix } from 'node:path'
import { Visitor } from 'oxc-parser'
import { type Import, importsOf } from './imports.ts'
import { isTestFile, type Problem, type Project, problemAt, type SourceFile } from './project.ts'

const CLOUD_SOURCE = 'packages/cloud/src/'
const SESSION_FOLDER = `${CLOUD_SOURCE}session/`
const TIME_INDEX = `${CLOUD_SOURCE}time/index.ts`
const COMPOSITION_ROOT = `${CLOUD_SOURCE}cloud.ts`

/** Node modules that only compute and do no I/O. */
const PURE_NODE_MODULES = [
  'node:assert',
  'node:assert/strict',
  'node:buffer',
  'node:events',
  'node:module',
  'node:util',
  'node:url',
]

/** Folders of the cloud whose files may be imported directly, without an `index.ts`. */
const OPEN_FOLDERS = ['http', 'cli']

/** Folders of the cloud beside the features that may import them. All other folders are its kernel. */
const FEATURE_USERS = ['cli', 'doctor']

/** The workspace packages that each folder may import. Tests and benchmarks may import all of them. */
const ALLOWED_PACKAGES: readonly [folder: string, packages: readonly string[]][] = [
  ['packages/contract/', []],
  ['packages/device-models/', []],
  ['packages/phone/src/demo/', ['contract', 'cloud']],
  ['packages/phone/', ['contract']],
  ['packages/conformance/', ['contract', 'phone']],
  ['packages/cloud/src/cli', ['contract', 'phone']],
  ['packages/cloud/', ['contract']],
  ['packages/console/', ['contract', 'phone']],
  ['apps/', []],
]

/** Folders that may read the environment: the configuration, and programs other than the cloud. */
const ENVIRONMENT_READERS = [
  `${CLOUD_SOURCE}config/`,
  'packages/phone/src/demo/',
  'packages/phone/src/terminal/',
  'apps/',
  'bench/',
  'scripts/',
  // Pass their environment on to the nodes, or the cloud, that they start.
  'packages/cloud/src/local-cluster/',
  'packages/console/develop.ts',
]

const QUERY_BUILDERS = ['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'replaceInto', 'mergeInto']

/** What a file with SQL contains. */
const SQL = new RegExp(String.raw`\b(?:sql|${QUERY_BUILDERS.join('|')})\b`)

/** Calls that make a session depend on more than its input. Only its clock may use them. */
const IMPURE_CALLS = ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'fetch']
const IMPURE_MEMBERS = [
  'Date.now',
  'Math.random',
  'performance.now',
  'crypto.randomUUID',
  'crypto.getRandomValues',
]

/** Checks the boundaries of docs/architecture.md. */
export function checkBoundaries({ sources }: Project): Problem[] {
  const paths = new Set(sources.map(({ path }) => path))
  return sources.flatMap((source) => [
    ...importsOf(source).flatMap((imported) =>
      importProblems(source, imported, paths).map((message) =>
        problemAt(source.path, source.text, imported.offset, message),
      ),
    ),
    ...(isTestFile(source.path)
      ? []
      : [...environmentProblems(source), ...sqlProblems(source), ...purityProblems(source)]),
  ])
}

function importProblems({ path }: SourceFile, imported: Import, paths: Set<string>): string[] {
  const { specifier, file } = imported
  const messages: (string | undefined)[] = [
    file === undefined ? undefined : checkPackageBoundary(path, file),
    checkWorkspacePackage(path, specifier),
    checkCompositionRoot(path, imported),
    ...(isTestFile(path)
      ? []
      : [
          file !== undefined && isTestFile(file) && !path.startsWith('scripts/')
            ? `${file} exists for tests only: production code must not import it.`
            : undefined,
          file === undefined ? undefined : checkFolderIndex(path, file, paths),
          file === undefined ? undefined : checkKernel(path, file),
          checkPurity(path, imported),
          checkDatabaseImport(path, imported),
        ]),
  ]
  return messages.filter((message) => message !== undefined)
}

/** `packages/cloud`, `apps/captions`, `bench`, … */
function packageOf(path: string): string {
  return /^(?:(?:packages|apps)\/[^/]+|[^/]+)/.exec(path)?.[0] ?? ''
}

function checkPackageBoundary(path: string, file: string): string | undefined {
  if (packageOf(path) === packageOf(file)) return undefined
  return `${file} is in another package: import that package by its name.`
}

function checkWorkspacePackage(path: string, specifier: string): string | undefined {
  const name = /^@glasses-cloud\/([^/]+)/.exec(specifier)?.[1]
  if (name === undefined || packageOf(path) === `packages/${name}` || isTestFile(path)) return undefined
  const [folder, allowed] = ALLOWED_PACKAGES.find(([prefix]) => path.startsWith(prefix)) ?? []
  if (folder === undefined || allowed?.includes(name)) return undefined
  const packages = allowed?.length === 0 ? 'no workspace package' : `only ${allowed?.join(' and ')}`
  return `${folder} imports ${packages}, not ${specifier}.`
}

function checkCompositionRoot(path: string, { specifier, file }: Import): string | undefined {
  if (file !== COMPOSITION_ROOT && specifier !== '@glasses-cloud/cloud') return undefined
  const allowed =
    isTestFile(path) ||
    path === `${CLOUD_SOURCE}start.ts` ||
    ['bench/', 'packages/phone/src/demo/'].some((folder) => path.startsWith(folder))
  return allowed ? undefined : 'Only start.ts, tests, benchmarks and the demo import cloud.ts.'
}

function checkFolderIndex(path: string, file: string, paths: Set<string>): string | undefined {
  if (!path.startsWith(CLOUD_SOURCE) || !file.startsWith(CLOUD_SOURCE)) return undefined
  const from = moduleOf(path)
  const to = moduleOf(file)
  if (to === '' || from === to || posix.basename(file) === 'index.ts') return undefined
  const index = `${posix.dirname(file)}/index.ts`
  if (OPEN_FOLDERS.includes(to) && !paths.has(index)) return undefined
  return `${file} is internal to ${to}/: import ${OPEN_FOLDERS.includes(to) ? index : `${CLOUD_SOURCE}${to}/index.ts`}.`
}

function checkKernel(path: string, file: string): string | undefined {
  if (!path.startsWith(CLOUD_SOURCE) || !file.startsWith(`${CLOUD_SOURCE}features/`)) return undefined
  const from = moduleOf(path)
  if (from === '' || from.startsWith('features') || FEATURE_USERS.includes(from)) return undefined
  return `${from}/ is part of the kernel and imports no feature, not ${file}.`
}

/** The folder of the cloud that a file belongs to, such as `http` or `features/gallery`; empty at the root. */
function moduleOf(path: string): string {
  const segments = path.slice(CLOUD_SOURCE.length).split('/').slice(0, -1)
  return segments.slice(0, segments[0] === 'features' ? 2 : 1).join('/')
}

function checkPurity(path: string, { specifier, file }: Import): string | undefined {
  const isSession = path.startsWith(SESSION_FOLDER)
  if (!isSession && !path.startsWith('packages/contract/')) return undefined
  if (specifier.startsWith('node:')) {
    return PURE_NODE_MODULES.includes(specifier) ? undefined : `No I/O here: ${specifier} does I/O.`
  }
  if (
    !isSession ||
    file?.startsWith(SESSION_FOLDER) ||
    file === TIME_INDEX ||
    specifier === 'typebox' ||
    /^@glasses-cloud\/contract(\/|$)/.test(specifier)
  )
    return undefined
  return `session/ imports only contract, time and typebox, not ${specifier}.`
}

function mayUseSql(path: string): boolean {
  return path.endsWith('-store.ts') || path.startsWith(`${CLOUD_SOURCE}db/`)
}

function checkDatabaseImport(path: string, { specifier, typeOnly }: Import): string | undefined {
  if (typeOnly || mayUseSql(path) || !['kysely', 'pg', 'node:sqlite'].includes(specifier)) return undefined
  return `Only *-store.ts files and db/ access the database, so only they import ${specifier} (types are allowed).`
}

function environmentProblems({ path, text, parsed }: SourceFile): Problem[] {
  if (!path.startsWith('packages/') || ENVIRONMENT_READERS.some((folder) => path.startsWith(folder)))
    return []
  if (!/\benv\b/.test(text)) return []
  const problems: Problem[] = []
  const report = (offset: number) =>
    problems.push(
      problemAt(path, text, offset, 'Only config/ reads the environment: pass the value as a parameter.'),
    )
  new Visitor({
    MemberExpression: ({ object, property, start }) => {
      if (object.type !== 'Identifier' || object.name !== 'process') return
      const name =
        property.type === 'Identifier' ? property.name : property.type === 'Literal' ? property.value : ''
      if (name === 'env') report(start)
    },
    ImportSpecifier: ({ imported, start }) => {
      if (imported.type === 'Identifier' && imported.name === 'env') report(start)
    },
    VariableDeclarator: ({ id, init, start }) => {
      if (init?.type !== 'Identifier' || init.name !== 'process' || id.type !== 'ObjectPattern') return
      if (text.slice(id.start, id.end).includes('env')) report(start)
    },
  }).visit(parsed.program)
  return problems
}

function sqlProblems({ path, text, parsed }: SourceFile): Problem[] {
  if (!/^(packages|apps|bench)\//.test(path) || mayUseSql(path) || !SQL.test(text)) return []
  const problems: Problem[] = []
  const report = (offset: number) =>
    problems.push(problemAt(path, text, offset, 'Move this SQL to a *-store.ts file (or to db/).'))
  new Visitor({
    TaggedTemplateExpression: ({ tag, start }) => {
      if (tag.type === 'Identifier' && tag.name === 'sql') report(start)
    },
    CallExpression: ({ callee, start }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      if (QUERY_BUILDERS.includes(callee.property.name)) report(start)
    },
  }).visit(parsed.program)
  return problems
}

function purityProblems({ path, text, parsed }: SourceFile): Problem[] {
  if (!path.startsWith(SESSION_FOLDER)) return []
  const problems: Problem[] = []
  const report = (offset: number, name: string) =>
    problems.push(
      problemAt(
        path,
        text,
        offset,
        `The session core is deterministic: use its injected clock, randomness, log or ports instead of ${name}.`,
      ),
    )
  new Visitor({
    CallExpression: ({ callee, start }) => {
      if (callee.type === 'Identifier' && IMPURE_CALLS.includes(callee.name)) report(start, callee.name)
    },
    MemberExpression: ({ object, property, start }) => {
      if (object.type !== 'Identifier' || property.type !== 'Identifier') return
      const name = `${object.name}.${property.name}`
      if (IMPURE_MEMBERS.includes(name) || object.name === 'process' || object.name === 'console')
        report(start, name)
    },
    NewExpression: ({ callee, arguments: args, start }) => {
      if (callee.type === 'Identifier' && callee.name === 'Date' && args.length === 0)
        report(start, 'new Date()')
    },
  }).visit(parsed.program)
  return problems
}
