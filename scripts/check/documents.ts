import { posix } from 'node:path'
import { blankFences } from './markdown.ts'
import { type Problem, type Project, problemAt, type SourceFile } from './project.ts'

const ARCHITECTURE = 'docs/architecture.md'
const COMMANDS = 'docs/commands.md'
const CLOUD_SOURCE = 'packages/cloud/src/'

/** Pages about the present state of this repository: not its history, nor the protocol of other programs. */
const isPage = (path: string) =>
  path.endsWith('.md') && path !== 'CHANGELOG.md' && !path.startsWith('docs/protocol/')

const CODE = /`([^`\n]+)`/g
const SOURCE_FILE = /^(?:[\w.-]+\/)*[\w-][\w.-]*\.tsx?$/
const OTHER_FILE = /^(?:[\w-][\w.-]*\/)+[\w.-]+\.(?:mjs|md|json|css)$/
const FOLDER = /^[\w-]+(?:\/[\w.-]+)*\/?$/
/** `UserSession`, `UserSession.close`. Names of one word, such as `Origin`, may be anything. */
const TYPE_NAME = /^([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+)(?:\.#?(\w+))?(?:\(\))?$/
/** `package` 1.2.3 */
const VERSION = /`(@?[\w./-]+)`,? \(?(\d+(?:\.\d+)+)(?! (?:[kKMG]?B|m?s|%))/g

/** Files and folders that are generated. */
const GENERATED = /(?:^|\/)(?:dist|node_modules)(?:\/|$)|\.d\.ts$/

/**
 * Finds statements about this repository that are no longer true: names of files, folders and classes in Markdown pages
 * and comments, versions of packages, the tree of the source, and the list of commands.
 */
export function checkDocuments(project: Project): Problem[] {
  return [...namedThings(project), ...versions(project), ...trees(project), ...commands(project)]
}

function namedThings(project: Project): Problem[] {
  const paths = new Set<string>()
  for (const path of project.paths) for (let at = path; at !== '.'; at = posix.dirname(at)) paths.add(at)
  // Pages name a path below any folder of it, such as `db/change-feed.ts`.
  const endings = new Set<string>()
  for (const path of paths) {
    const parts = path.split('/')
    for (let from = 0; from < parts.length; from += 1) endings.add(parts.slice(from).join('/'))
  }
  const tops = new Set([...paths].map((path) => path.replace(CLOUD_SOURCE, '').split('/')[0]))
  const words = new Set(project.sources.flatMap((source) => withoutComments(source).match(/\w+/g) ?? []))

  const missing = (from: string, code: string): string | undefined => {
    const type = TYPE_NAME.exec(code)
    if (type)
      return type.slice(1).every((word) => word === undefined || words.has(word))
        ? undefined
        : 'in any source'
    const isFile = SOURCE_FILE.test(code) || OTHER_FILE.test(code)
    const isFolder =
      FOLDER.test(code) && (code.endsWith('/') || (code.includes('/') && tops.has(code.split('/')[0])))
    if ((!isFile && !isFolder) || GENERATED.test(code)) return undefined
    const path = code.replace(/\/$/, '')
    return endings.has(path) || paths.has(posix.join(posix.dirname(from), path))
      ? undefined
      : 'in the repository'
  }
  const problemsIn = (path: string, text: string, part: string, start = 0) =>
    [...part.matchAll(CODE)].flatMap(({ index, 1: code = '' }) => {
      const where = missing(path, code)
      if (where === undefined) return []
      return [problemAt(path, text, start + index, `\`${code}\` does not exist ${where}.`)]
    })
  return [
    ...project.paths.filter(isPage).flatMap((page) => {
      const text = project.read(page)
      return problemsIn(page, text, blankFences(text))
    }),
    ...project.sources.flatMap(({ path, text, parsed }) =>
      parsed.comments.flatMap(({ start, end }) => problemsIn(path, text, text.slice(start, end), start)),
    ),
  ]
}

/** The code of a file: a comment does not make the classes that it names exist. */
function withoutComments({ text, parsed }: SourceFile): string {
  let code = ''
  let end = 0
  for (const comment of parsed.comments) {
    code += text.slice(end, comment.start)
    end = comment.end
  }
  return code + text.slice(end)
}

/** Versions of packages that are not the installed ones. */
function versions(project: Project): Problem[] {
  if (!project.has('package-lock.json')) return []
  const { packages } = JSON.parse(project.read('package-lock.json')) as {
    packages: Record<string, { version?: string }>
  }
  return project.paths.filter(isPage).flatMap((page) => {
    const text = project.read(page)
    return [...text.matchAll(VERSION)].flatMap(({ index, 1: name = '', 2: version = '' }) => {
      const installed = packages[`node_modules/${name}`]?.version
      if (installed === undefined || `${installed}.`.startsWith(`${version}.`)) return []
      return [problemAt(page, text, index, `${name} is installed in version ${installed}, not ${version}.`)]
    })
  })
}

/** Compares each tree of docs/architecture.md, whose first line is a folder, with the folders and files in it. */
function trees(project: Project): Problem[] {
  if (!project.has(ARCHITECTURE)) return []
  const text = project.read(ARCHITECTURE)
  return [...text.matchAll(/^```\n([\w./-]+\/)\n([\s\S]*?)^```/gm)].flatMap(
    ({ index, 1: folder = '', 2: tree = '' }) => {
      const named = [...tree.matchAll(/^ {2}(\S+(?: \S+)*)/gm)].flatMap(([, names = '']) =>
        names.split(' ').filter((name) => /^[\w-]+(?:\.ts|\/)$/.test(name)),
      )
      const mentioned = new Set(tree.match(/[\w-]+(?:\.ts|\/)/g))
      const actual = new Set(
        project.paths
          .filter((path) => path.startsWith(folder) && !path.endsWith('.test.ts'))
          .map((path) => path.slice(folder.length).replace(/\/.*$/, '/')),
      )
      return [
        ...named
          .filter((name) => !actual.has(name))
          .map((name) => `${folder}${name} does not exist: remove it from the tree.`),
        ...[...actual]
          .filter((name) => !mentioned.has(name))
          .map((name) => `${folder}${name} is missing in the tree.`),
      ].map((message) => problemAt(ARCHITECTURE, text, index, message))
    },
  )
}

/** Compares the npm commands of docs/commands.md with the scripts of package.json. */
function commands(project: Project): Problem[] {
  if (!project.has(COMMANDS)) return []
  const { scripts } = JSON.parse(project.read('package.json')) as { scripts: Record<string, string> }
  const names = Object.keys(scripts).filter(
    (name) => !(name.replace(/^pre/, '') in scripts && /^pre/.test(name)),
  )
  const text = project.read(COMMANDS)
  const listed = [...text.matchAll(/^\| `npm (?:run )?([\w:-]+)/gm)].map(([, name = '']) => name)
  return [
    ...names.filter((name) => !listed.includes(name)).map((name) => `npm run ${name} is missing.`),
    ...listed.filter((name) => !names.includes(name)).map((name) => `package.json has no script ${name}.`),
  ].map((message) => `${COMMANDS}:1  ${message}`)
}
