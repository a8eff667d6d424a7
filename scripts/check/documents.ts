import { type Problem, type Project, problemAt } from './project.ts'

const ARCHITECTURE = 'docs/architecture.md'
const COMMANDS = 'docs/commands.md'

/** Pages about the present state of this repository: not its history, nor the protocol of other programs. */
const isPage = (path: string) =>
  path.endsWith('.md') && path !== 'CHANGELOG.md' && !path.startsWith('docs/protocol/')

/** `package` 1.2.3 */
const VERSION = /`(@?[\w./-]+)`,? \(?(\d+(?:\.\d+)+)(?! (?:[kKMG]?B|m?s|%))/g

/**
 * Finds statements about this repository that are no longer true: versions of packages, the tree of the source, and the list
 * of commands.
 */
export function checkDocuments(project: Project): Problem[] {
  return [...versions(project), ...trees(project), ...commands(project)]
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
