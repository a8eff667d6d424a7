import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { type Complaint, complaint, projectFiles } from './project.ts'

/** Words that no file of the project holds. Written so that this file does not hold them either. */
const forbidden: readonly [pattern: RegExp, sentence: string][] = [
  [
    /(?<![@\w])(?:TOD[O]|FIXM[E]|XX[X]|HAC[K])\b/,
    'Left work is tagged @TODO, a remark @NOTE; other tags get lost.',
  ],
  [
    /\bregistry\.[a-z0-9-]+\.[a-z]{2,}|\bnpmjs\.(?:org|com)|\bnpm\.pkg\.github\b|\b(?:deb|security)\.debian\.or[g]/i,
    'A package registry is named; which one is used is up to the machine.',
  ],
  [
    /(?<![\w.~}\])*-])\/(?:home|Users|root|work|tmp|var\/folders)\/[\w.]/,
    'A path of somebody’s machine; use a relative one, or os.tmpdir().',
  ],
  [/@ts-(?:ignor[e]|nochec[k])/, 'A type error is mended, or expected by name: @ts-expect-error.'],
]

const binary = /\.(?:png|jpe?g|gif|ico|webp|wav|mp3|opus|lc3|woff2?|zip|gz)$/

/** Looks for words that have no place in the project: `any`, untagged left work, registries, paths of a machine. */
export function checkWords(root: string): Complaint[] {
  return projectFiles(root)
    .filter((path) => !binary.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return [...forbiddenIn(path, text), ...(path.endsWith('.ts') ? anyIn(path, text) : [])]
    })
}

function forbiddenIn(path: string, text: string): Complaint[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      forbidden
        .filter(([pattern]) => pattern.test(line))
        .map(([, sentence]) => `${path}:${index + 1}  ${sentence}`),
    )
}

/** Biome forbids `any` as well, but lets a comment excuse it. Here nothing does. */
function anyIn(path: string, text: string): Complaint[] {
  const complaints: Complaint[] = []
  new Visitor({
    TSAnyKeyword: ({ start }) => {
      complaints.push(
        complaint(path, text, start, '`any` switches the checker off: use `unknown`, or say what it is.'),
      )
    },
  }).visit(parseSync(path, text).program)
  return complaints
}
