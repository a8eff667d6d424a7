import { parser } from '@prometheus-io/lezer-promql'

/** One selection of series in an expression, such as `up{job="glasses-cloud"}`. */
export interface Selector {
  readonly metric: string
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[]
}

/** What a PromQL expression refers to. */
export interface Expression {
  readonly selectors: readonly Selector[]
  /** Labels by which it aggregates or joins. */
  readonly grouping: readonly string[]
}

/** Parses PromQL. @throws Error if it is invalid */
export function parsePromQl(text: string): Expression {
  const tree = parser.parse(text)
  const selectors: { metric: string; matchers: Selector['matchers'][number][] }[] = []
  const grouping: string[] = []
  tree.iterate({
    enter({ type, from, to, node }) {
      if (type.isError) throw new Error(`Invalid PromQL at "${text.slice(from, from + 20)}": ${text}`)
      if (type.name === 'VectorSelector') {
        const name = node.getChild('Identifier')
        selectors.push({ metric: name ? text.slice(name.from, name.to) : '', matchers: [] })
      }
      if (type.name === 'UnquotedLabelMatcher') {
        const part = (child: string) => {
          const found = node.getChild(child)
          return found ? text.slice(found.from, found.to) : ''
        }
        const value: string = JSON.parse(part('StringLiteral'))
        selectors.at(-1)?.matchers.push({ label: part('LabelName'), operator: part('MatchOp'), value })
      }
      if (type.name === 'GroupingLabels')
        for (const label of node.getChildren('LabelName')) grouping.push(text.slice(label.from, label.to))
      return to >= from
    },
  })
  return { selectors, grouping }
}

/** A series of the Prometheus text format. */
export interface Series {
  readonly metric: string
  readonly labels: ReadonlyMap<string, string>
}

/** Parses the Prometheus text format. */
export function parseMetrics(text: string): Series[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const { metric, labels = '' } =
        /^(?<metric>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? \S+$/.exec(line)?.groups ?? {}
      if (metric === undefined) throw new Error(`Invalid line of metrics: ${line}`)
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
      return { metric, labels: new Map(pairs.map(([, name = '', value = '']) => [name, value])) }
    })
}

/** Returns whether a series is selected; labels that Prometheus adds are not compared. */
export function isSelected({ metric, matchers }: Selector, series: Series): boolean {
  if (series.metric !== metric) return false
  return matchers.every(({ label, operator, value }) => {
    if (TARGET_LABELS.has(label)) return true
    const actual = series.labels.get(label) ?? ''
    const isEqual = operator.includes('~') ? new RegExp(`^(?:${value})$`).test(actual) : actual === value
    return operator.startsWith('!') ? !isEqual : isEqual
  })
}

/** Labels of the target, which Prometheus adds to each series. */
export const TARGET_LABELS: ReadonlySet<string> = new Set(['job', 'instance'])
