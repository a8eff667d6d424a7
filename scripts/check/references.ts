import { posix } from 'node:path'
import { anchorsOf, linksOf } from './markdown.ts'
import { type Problem, type Project, problemAt, type SourceFile } from './project.ts'
import { readRules } from './rules.ts'

const DECISIONS = 'docs/decisions.md'
const SHEETS = ['app-socket', 'glasses-socket', 'reference-behaviour']

/** `decision I8`, `decisions W1 and W2`, `decisions M1 to M3`, `decisions A1, A2 and A3`. */
const DECISION = /\bdecisions?\s+([A-Z]\d+(?:(?:\s+(?:and|or|to)|,)\s+[A-Z]\d+)*)/gi
/** `app-socket.md §3.1`, `glasses-socket.md §2.1 and §2.2`. */
const SECTION =
  /\b([a-z-]+)\.md\s+(\u00a7[A-Z0-9]+(?:\.\d+)*(?:(?:\s+(?:and|or|to)|,)\s+\u00a7[A-Z0-9]+(?:\.\d+)*)*)/g
const HEADING_NUMBER = /^#{1,6} (?:Appendix )?((?:[A-Z]|\d+)(?:\.\d+)*)[.\s]/
const RULE_ID = /(?<![\w/#-])([A-Z][A-Z0-9]{1,4})-\d+\b(?!-)/g
const FILE_PATH = /(?<![\w./<-])(?:packages|apps|bench|scripts|docs)\/[\w./-]+\.(?:ts|mjs|md|json)\b/g

/** Ways of citing a document that do not resolve to an anchor. Each is written so that it does not match itself. */
const UNRESOLVABLE: readonly [pattern: RegExp, message: string][] = [
  [
    /\b(?:app|glasses)\s+socket\s+protoco[l]\b|\b(?:app|glasses)(?:-side)?\s+shee[t]\b/gi,
    'Cite the section, as `app-socket.md §3.1`.',
  ],
  [/\breference\s+behaviou?[r],/gi, 'Cite the section, as `reference-behaviour.md §A.4`.'],
  [
    /\binterface\s+specificatio[n]\b/gi,
    'Cite the rule or the decision, as `decision I8`, or name the contract.',
  ],
  [/(?<![\w-])(?:\.\.\/)*shared\/(?:spec|protocol|desig[n])\b/g, 'This path is outside the repository.'],
]

/** The anchors that references resolve to. */
interface Targets {
  readonly rules: ReadonlySet<string>
  readonly rulePrefixes: ReadonlySet<string>
  readonly decisions: ReadonlySet<string>
  /** Section numbers of the protocol sheets, by name of the sheet. */
  readonly sections: ReadonlyMap<string, ReadonlySet<string>>
}

/**
 * Finds references to rules, decisions, sections of the protocol sheets, Markdown links and file paths that do not
 * resolve. Looks in the comments and strings of TypeScript files and in all Markdown files.
 */
export function checkReferences(project: Project): Problem[] {
  const targets = readTargets(project)
  return [
    ...project.sources.flatMap((source) => sourceProblems(project, source, targets)),
    ...project.paths
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) => markdownProblems(project, path, targets)),
  ]
}

function readTargets(project: Project): Targets {
  const rules = new Set(readRules(project).keys())
  const read = (path: string) => (project.has(path) ? project.read(path) : '')
  const sectionsOf = (name: string) =>
    new Set(
      read(`docs/protocol/${name}.md`)
        .split('\n')
        .flatMap((line) => HEADING_NUMBER.exec(line)?.[1] ?? []),
    )
  return {
    rules,
    rulePrefixes: new Set([...rules].map((id) => id.slice(0, id.indexOf('-')))),
    decisions: new Set(
      [...read(DECISIONS).matchAll(/<a id="([a-z]\d+)">/g)].map(([, id = '']) => id.toUpperCase()),
    ),
    sections: new Map(SHEETS.map((name) => [name, sectionsOf(name)])),
  }
}

function sourceProblems(project: Project, { path, text, parsed }: SourceFile, targets: Targets): Problem[] {
  const joined = joinLines(text)
  const comments = joinLines(onlyComments(text, parsed.comments))
  return [
    ...citationProblems(path, joined, targets),
    ...ruleProblems(path, comments, targets),
    ...bareDecisionProblems(path, comments, targets),
    ...pathProblems(project, path, comments),
  ]
}

function markdownProblems(project: Project, path: string, targets: Targets): Problem[] {
  const text = project.read(path)
  return [
    ...citationProblems(path, text, targets),
    ...ruleProblems(path, text, targets),
    ...bareDecisionProblems(path, text, targets),
    ...pathProblems(project, path, text),
    ...linkProblems(project, path, text),
  ]
}

/** Replaces everything but comments with spaces, so that offsets and line numbers stay the same. */
function onlyComments(text: string, comments: readonly { start: number; end: number }[]): string {
  let result = ''
  let end = 0
  for (const comment of comments) {
    result +=
      text.slice(end, comment.start).replaceAll(/[^\n]/g, ' ') + text.slice(comment.start, comment.end)
    end = comment.end
  }
  return result + text.slice(end).replaceAll(/[^\n]/g, ' ')
}

/** Blanks the markers at the start of comment lines, so that a reference may be wrapped. Keeps offsets. */
function joinLines(text: string): string {
  return text.replaceAll(/\n[ \t]*(?:\*(?!\/)|\/\/)?/g, (start) => `\n${' '.repeat(start.length - 1)}`)
}

function citationProblems(path: string, text: string, { decisions, sections }: Targets): Problem[] {
  const problems: Problem[] = []
  const report = (offset: number, message: string) => problems.push(problemAt(path, text, offset, message))
  for (const { index, 1: ids = '' } of text.matchAll(DECISION)) {
    for (const [id] of ids.matchAll(/[A-Z]\d+/g))
      if (!decisions.has(id)) report(index, `${DECISIONS} has no decision ${id}.`)
  }
  const resolved = new Set<number>()
  for (const { index, 0: citation, 1: name = '', 2: numbers = '' } of text.matchAll(SECTION)) {
    const start = index + citation.length - numbers.length
    for (const { index: at, 1: number = '' } of numbers.matchAll(/\u00a7([A-Z0-9]+(?:\.\d+)*)/g)) {
      resolved.add(start + at)
      const known = sections.get(name)
      if (known === undefined) report(index, `${name}.md is not a protocol sheet: cite it with a link.`)
      else if (!known.has(number)) report(index, `docs/protocol/${name}.md has no section ${number}.`)
    }
  }
  for (const { index } of text.matchAll(/\u00a7/g)) {
    if (resolved.has(index) || path.startsWith('docs/protocol/')) continue
    report(index, 'Name the page of this section, as `app-socket.md §3.1`.')
  }
  for (const [pattern, message] of UNRESOLVABLE)
    for (const { index } of text.matchAll(pattern)) report(index, message)
  return problems
}

/** Checks ids whose prefix is that of a rule; others, such as `SHA-256`, are names of standards. */
function ruleProblems(path: string, text: string, { rules, rulePrefixes }: Targets): Problem[] {
  return [...text.matchAll(RULE_ID)].flatMap(({ index, 0: id, 1: prefix = '' }) =>
    rulePrefixes.has(prefix) && !rules.has(id)
      ? [problemAt(path, text, index, `docs/rules has no rule ${id}.`)]
      : [],
  )
}

function bareDecisionProblems(path: string, text: string, { decisions }: Targets): Problem[] {
  if (path.startsWith('docs/protocol/')) return []
  return [...text.matchAll(/\(([A-Z]\d+)(?:(?:,|;| and| to)\s+[A-Z]\d+)*\)/g)].flatMap(
    ({ index, 1: first = '' }) =>
      decisions.has(first)
        ? [problemAt(path, text, index, `Write \`decision ${first}\` instead of \`(${first})\`.`)]
        : [],
  )
}

/** Checks the repository paths that a text names. */
function pathProblems(project: Project, path: string, text: string): Problem[] {
  return [...text.matchAll(FILE_PATH)].flatMap(({ index, 0: target }) =>
    project.has(target) ? [] : [problemAt(path, text, index, `${target} does not exist.`)],
  )
}

function linkProblems(project: Project, path: string, text: string): Problem[] {
  return linksOf(text).flatMap(({ target, offset }) => {
    if (/^[a-z][a-z+.-]*:/i.test(target)) return []
    const [file = '', anchor] = target.split('#', 2)
    const page = file === '' ? path : posix.join(posix.dirname(path), decodeURI(file))
    if (!project.has(page)) return [problemAt(path, text, offset, `Broken link: ${page} does not exist.`)]
    if (anchor === undefined || !page.endsWith('.md') || anchorsOf(project.read(page)).has(anchor)) return []
    return [problemAt(path, text, offset, `Broken link: ${page} has no anchor #${anchor}.`)]
  })
}
