import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

/** The folder of the files for Prometheus and Grafana. */
export const MONITORING_FOLDER = fileURLToPath(new URL('../../../../ops/monitoring/', import.meta.url))

/** An alert, or a recorded expression. */
export interface Rule {
  readonly alert?: string
  readonly record?: string
  readonly expr: string
  readonly labels?: { readonly severity?: string }
  readonly annotations?: { readonly summary?: string; readonly runbook_url?: string }
}

/** Returns the rules of alerts.yml. */
export function readRules(): Rule[] {
  const file = readFileSync(join(MONITORING_FOLDER, 'alerts.yml'), 'utf8')
  return (parse(file) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules)
}

/** A panel of the board. */
export interface BoardPanel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly {
    readonly expr: string
    readonly legendFormat: string
    readonly refId: string
  }[]
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } }
}

/** The Grafana board. */
export interface Board {
  readonly panels: readonly BoardPanel[]
  readonly annotations: { readonly list: readonly { readonly expr: string; readonly titleFormat: string }[] }
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly definition?: string }[]
  }
}

/** Returns the Grafana board. */
export function readBoard(): Board {
  return JSON.parse(readFileSync(join(MONITORING_FOLDER, 'grafana-dashboard.json'), 'utf8')) as Board
}

/** Returns the PromQL of the board, with values for the variables of Grafana, and the legend of each query. */
export function boardQueries(board: Board): { readonly expr: string; readonly legend: string }[] {
  const targets = board.panels.flatMap(({ targets = [] }) => targets)
  return [
    ...targets.map(({ expr, legendFormat }) => ({ expr, legend: legendFormat })),
    ...board.annotations.list.map(({ expr, titleFormat }) => ({ expr, legend: titleFormat })),
  ].map(({ expr, legend }) => ({ expr: expr.replaceAll('$__rate_interval', '5m'), legend }))
}
