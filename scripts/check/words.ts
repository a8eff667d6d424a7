import { Visitor } from 'oxc-parser'
import { type Problem, type Project, problemAt, type SourceFile } from './project.ts'

/** Patterns that no file may contain. Each is written so that it does not match itself. */
const FORBIDDEN: readonly [pattern: RegExp, message: string][] = [
  [
    /(?<![@\w])(?:TOD[O]|FIXM[E]|XX[X]|HAC[K])\b/,
    'Tag open work with @TODO and remarks with @NOTE; other tags are not found again.',
  ],
  [
    /\bregistry\.[a-z0-9-]+\.[a-z]{2,}|\bnpmjs\.(?:org|com)|\bnpm\.pkg\.github\b|\b(?:deb|security)\.debian\.or[g]/i,
    'Do not name a package registry; each machine configures its own.',
  ],
  [
    /(?<![\w.~}\])*-])\/(?:home|Users|root|work|tmp|var\/folders)\/[\w.]/,
    'This path exists on one machine only; use a relative path or os.tmpdir().',
  ],
  [/@ts-(?:ignor[e]|nochec[k])/, 'Fix the type error, or expect it with @ts-expect-error and a reason.'],
]

const BINARY_FILE = /\.(?:png|jpe?g|gif|ico|webp|wav|mp3|opus|lc3|woff2?|zip|gz)$/

/** Finds untagged open work, disabled type checks, the type `any`, package registries and paths of one machine. */
export function checkWords(project: Project): Problem[] {
  return [
    ...project.paths
      .filter((path) => !BINARY_FILE.test(path))
      .flatMap((path) => forbiddenIn(path, project.read(path))),
    ...project.sources.flatMap(anyIn),
  ]
}

function forbiddenIn(path: string, text: string): Problem[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      FORBIDDEN.filter(([pattern]) => pattern.test(line)).map(
        ([, message]) => `${path}:${index + 1}  ${message}`,
      ),
    )
}

/** Biome forbids `any` as well, but accepts comments that suppress the rule. This check does not. */
function anyIn({ path, text, parsed }: SourceFile): Problem[] {
  const problems: Problem[] = []
  new Visitor({
    TSAnyKeyword: ({ start }) => {
      problems.push(
        problemAt(path, text, start, '`any` disables type checking: use `unknown` or a specific type.'),
      )
    },
  }).visit(parsed.program)
  return problems
}
