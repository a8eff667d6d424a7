import { type CallExpression, type Expression, Visitor } from 'oxc-parser'
import { type Problem, type Project, problemAt, type SourceFile } from './project.ts'

/** A rule: `- **CAT-3** One sentence.` */
const RULE = /^[-*] \*\*([A-Z][A-Z0-9]{1,4}-\d+)\*\* \S/
/** A bullet that looks like a malformed rule. */
const MALFORMED_RULE = /^\s*[-*] \*\*[A-Za-z][A-Za-z0-9]*[- ]?\d+\b/
/** The ids at the start of a title: `CAT-3 CAT-4: …`. */
const TITLE_IDS = /^((?:[A-Z][A-Z0-9]{1,4}-\d+ )*[A-Z][A-Z0-9]{1,4}-\d+): \S/
const LEADING_ID = /^[A-Z][A-Z0-9]{1,4}-\d+\b/

/** Limits of a test title: it says what this test does, and its rules say the rest. */
const MAX_IDS = 3
const MAX_TITLE_LENGTH = 110

/** Modifiers of `test` that still define a test. */
const MODIFIERS = ['skip', 'only', 'todo']

interface Place {
  readonly path: string
  readonly line: number
}

/** Checks that every rule in docs/rules has a test, and that the ids in test titles are those of existing rules, at most three. */
export function checkRules(project: Project): Problem[] {
  const problems: Problem[] = []
  const rules = readRules(project, problems)
  const tested = new Set<string>()
  for (const source of project.sources) {
    for (const { id, offset } of testedRules(source, problems)) {
      tested.add(id)
      if (!rules.has(id))
        problems.push(problemAt(source.path, source.text, offset, `Rule ${id} does not exist.`))
    }
  }
  for (const [id, { path, line }] of rules) {
    if (!tested.has(id)) problems.push(`${path}:${line}  No test covers ${id}.`)
  }
  return problems
}

/** The rules of the rule book by id. Adds malformed and duplicate ones to `problems`. */
export function readRules(project: Project, problems: Problem[] = []): Map<string, Place> {
  const rules = new Map<string, Place>()
  const pages = project.paths.filter(
    (path) => /^docs\/rules\/.*\.md$/.test(path) && !path.endsWith('README.md'),
  )
  for (const path of pages) {
    for (const [index, text] of project.read(path).split('\n').entries()) {
      const line = index + 1
      const id = RULE.exec(text)?.[1]
      if (id === undefined) {
        if (MALFORMED_RULE.test(text))
          problems.push(`${path}:${line}  Malformed rule; write \`- **CAT-3** One sentence.\``)
        continue
      }
      const first = rules.get(id)
      if (first === undefined) rules.set(id, { path, line })
      else problems.push(`${path}:${line}  ${id} is already defined in ${first.path}:${first.line}.`)
    }
  }
  return rules
}

/**
 * The rule ids in the test titles of one file. A call defines a test if it calls an import of `node:test`, or passes
 * on a title with ids (a helper that chooses between `test` and `test.skip`). Subtests (`t.test`) need no ids.
 */
function testedRules(source: SourceFile, problems: Problem[]): { id: string; offset: number }[] {
  const { path, text, parsed } = source
  const imported = nodeTestImports(source)
  if (imported.size === 0 && !path.endsWith('.test.ts')) return []
  const tested: { id: string; offset: number }[] = []
  new Visitor({
    CallExpression: (call) => {
      const callee = calleeOf(call)
      const kind = callee === undefined ? undefined : imported.get(callee.name)
      const [first] = call.arguments
      const title = first === undefined || first.type === 'SpreadElement' ? undefined : staticPrefix(first)
      const report = (message: string) => problems.push(problemAt(path, text, call.start, message))
      if (kind !== undefined && callee?.member === 'only') report('`only` disables all other tests.')
      if (kind === 'suite') {
        if (title !== undefined && LEADING_ID.test(title))
          report('Move the rule ids from the describe title to its tests.')
        return
      }
      const isTest = kind === 'test' && (callee?.member === undefined || MODIFIERS.includes(callee.member))
      if (!isTest && (title === undefined || call.arguments.length < 2 || !TITLE_IDS.test(title))) return
      if (title !== undefined && title.length > MAX_TITLE_LENGTH)
        report(`A test title has at most ${MAX_TITLE_LENGTH} characters (got ${title.length}).`)
      const ids = title === undefined ? undefined : TITLE_IDS.exec(title)?.[1]?.split(' ')
      if (ids !== undefined) {
        for (const id of ids) tested.push({ id, offset: call.start })
        if (ids.length > MAX_IDS) report(`A test proves at most ${MAX_IDS} rules: split it, or name fewer.`)
      } else if (title !== undefined && LEADING_ID.test(title))
        report(`Write the ids of a test title as \`CAT-3 CAT-4: …\` (got "${title}").`)
    },
  }).visit(parsed.program)
  return tested
}

/** The local names of what a file imports from `node:test`, and whether each defines tests or suites. */
function nodeTestImports({ parsed }: SourceFile): Map<string, 'test' | 'suite'> {
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

function calleeOf({ callee }: CallExpression): { name: string; member?: string } | undefined {
  if (callee.type === 'Identifier') return { name: callee.name }
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return undefined
  if (callee.property.type !== 'Identifier') return undefined
  return { name: callee.object.name, member: callee.property.name }
}

/** The part of a title that is known without running it: a literal, or a template up to its first expression. */
function staticPrefix(title: Expression): string | undefined {
  if (title.type === 'Literal' && typeof title.value === 'string') return title.value
  if (title.type === 'TemplateLiteral') {
    const start = title.quasis[0]?.value.cooked ?? ''
    return title.expressions.length > 0 ? `${start}…` : start
  }
  if (title.type === 'BinaryExpression' && title.operator === '+') {
    const start = staticPrefix(title.left)
    return start === undefined ? undefined : `${start}…`
  }
  return undefined
}
