import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CallExpression, type Expression, Visitor } from 'oxc-parser'
import { type Complaint, complaint, projectFiles, type SourceFile, sourceFiles } from './project.ts'

/** A rule's bullet: `- **CAT-3** One sentence.` */
const bullet = /^[-*] \*\*([A-Z][A-Z0-9]{1,4}-\d+)\*\* \S/
/** What was surely meant as one. */
const almostBullet = /^\s*[-*] \*\*[A-Za-z][A-Za-z0-9]*[- ]?\d+\b/
/** The ids at the start of a title: `CAT-3 CAT-4: …`. */
const titleIds = /^((?:[A-Z][A-Z0-9]{1,4}-\d+ )*[A-Z][A-Z0-9]{1,4}-\d+): \S/
const idAhead = /^[A-Z][A-Z0-9]{1,4}-\d+\b/

interface Place {
  readonly path: string
  readonly line: string
}

/**
 * Holds the rule book (docs/rules) against the tests: every rule has a test that names it, every test names the rules
 * it proves, and each of those exists, once.
 */
export function checkRules(root: string): Complaint[] {
  const complaints: Complaint[] = []
  const rules = readRules(root, complaints)
  const proven = new Set<string>()
  for (const file of sourceFiles(root)) {
    for (const { id, offset } of provenIn(file, complaints)) {
      proven.add(id)
      if (!rules.has(id)) complaints.push(complaint(file.path, file.text, offset, `There is no rule ${id}.`))
    }
  }
  for (const [id, { path, line }] of rules) {
    if (!proven.has(id)) complaints.push(`${path}:${line}  No test proves ${id}.`)
  }
  return complaints
}

function readRules(root: string, complaints: Complaint[]): Map<string, Place> {
  const rules = new Map<string, Place>()
  const pages = projectFiles(root).filter(
    (path) => /^docs\/rules\/.*\.md$/.test(path) && !path.endsWith('README.md'),
  )
  for (const path of pages) {
    for (const [index, line] of readFileSync(join(root, path), 'utf8').split('\n').entries()) {
      const place = `${path}:${index + 1}`
      const id = bullet.exec(line)?.[1]
      if (id === undefined) {
        if (almostBullet.test(line))
          complaints.push(`${place}  Not the form of a rule: \`- **CAT-3** One sentence.\``)
        continue
      }
      const first = rules.get(id)
      if (first === undefined) rules.set(id, { path, line: String(index + 1) })
      else complaints.push(`${place}  ${id} is taken: ${first.path}:${first.line}.`)
    }
  }
  return rules
}

/**
 * The ids that the titles of one file name. A call counts as a test if it calls what `node:test` gave, or if it hands
 * on a title with ids (a helper that picks `test` or `test.skip`). Inside another test (`t.test`) ids are optional.
 */
function provenIn(file: SourceFile, complaints: Complaint[]): { id: string; offset: number }[] {
  const { path, text, parsed } = file
  const imported = importedFromNodeTest(file)
  if (imported.size === 0 && !path.endsWith('.test.ts')) return []
  const proven: { id: string; offset: number }[] = []
  new Visitor({
    CallExpression: (call) => {
      const called = calledName(call)
      const kind = called === undefined ? undefined : imported.get(called.name)
      const [first] = call.arguments
      const title = first === undefined || first.type === 'SpreadElement' ? undefined : startOf(first)
      const complain = (sentence: string) => complaints.push(complaint(path, text, call.start, sentence))
      if (kind !== undefined && called?.member === 'only')
        complain('`only` keeps every other test from running.')
      if (kind === 'suite') {
        if (title !== undefined && idAhead.test(title))
          complain('A describe title carries no ids: its tests do.')
        return
      }
      const isTest = kind === 'test' && (called?.member === undefined || modifiers.includes(called.member))
      if (!isTest && (title === undefined || call.arguments.length < 2 || !titleIds.test(title))) return
      const ids = title === undefined ? undefined : titleIds.exec(title)?.[1]
      if (ids !== undefined) for (const id of ids.split(' ')) proven.push({ id, offset: call.start })
      else if (title === undefined) complain('The title is computed: start it with the ids, as text.')
      else complain(`A title starts with the ids of the rules it proves, \`CAT-3 CAT-4: …\`: "${title}".`)
    },
  }).visit(parsed.program)
  return proven
}

const modifiers = ['skip', 'only', 'todo']

/** The local names of what a file imports from `node:test`, and whether each makes tests or groups of them. */
function importedFromNodeTest({ parsed }: SourceFile): Map<string, 'test' | 'suite'> {
  const names = new Map<string, 'test' | 'suite'>()
  for (const { moduleRequest, entries } of parsed.module.staticImports) {
    if (moduleRequest.value !== 'node:test') continue
    for (const { importName, localName, isType } of entries) {
      const name = importName.kind === 'Default' ? 'test' : importName.name
      if (isType || name === null || name === undefined) continue
      if (['test', 'it'].includes(name)) names.set(localName.value, 'test')
      if (['describe', 'suite'].includes(name)) names.set(localName.value, 'suite')
    }
  }
  return names
}

function calledName({ callee }: CallExpression): { name: string; member?: string } | undefined {
  if (callee.type === 'Identifier') return { name: callee.name }
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return undefined
  if (callee.property.type !== 'Identifier') return undefined
  return { name: callee.object.name, member: callee.property.name }
}

/** The text that a title surely starts with: all of a literal, a template up to its first value. */
function startOf(title: Expression): string | undefined {
  if (title.type === 'Literal' && typeof title.value === 'string') return title.value
  if (title.type === 'TemplateLiteral') {
    const start = title.quasis[0]?.value.cooked ?? ''
    return title.expressions.length > 0 ? `${start}…` : start
  }
  if (title.type === 'BinaryExpression' && title.operator === '+') {
    const start = startOf(title.left)
    return start === undefined ? undefined : `${start}…`
  }
  return undefined
}
