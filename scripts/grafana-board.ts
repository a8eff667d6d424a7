/** `node scripts/grafana-board.ts`: writes ops/monitoring/grafana-dashboard.json, the Grafana board, from the list of its panels. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BOARD_SECTIONS, type Panel } from './grafana-board/panels.ts'

/** Version of the format of dashboards: Grafana 11.6 and 12 write it, and migrate older ones. */
const SCHEMA_VERSION = 41

const DATASOURCE = { type: 'prometheus', uid: '$datasource' }

/** Columns of the grid of Grafana. */
const COLUMNS = 24
const HEIGHTS = { stat: 4, timeseries: 8, table: 8 } as const
const WIDTHS = { stat: 4, timeseries: 8, table: 12 } as const

const variable = (name: string, label: string, description: string, query: string) => ({
  type: 'query',
  name,
  label,
  description,
  datasource: DATASOURCE,
  definition: query,
  query: { query, refId: `Variable-${name}` },
  refresh: 2,
  sort: 1,
  regex: '',
  hide: 0,
  skipUrlSync: false,
  options: [],
})

const VARIABLES = [
  {
    type: 'datasource',
    name: 'datasource',
    label: 'Data source',
    description: 'The Prometheus that scrapes the cloud',
    query: 'prometheus',
    refresh: 1,
    regex: '',
    hide: 0,
    includeAll: false,
    multi: false,
    skipUrlSync: false,
    options: [],
    current: {},
  },
  {
    ...variable('job', 'Cloud', 'The job of the scrape configuration', 'label_values(cloud_info, job)'),
    includeAll: false,
    multi: false,
    current: {},
  },
  {
    ...variable(
      'instance',
      'Node',
      'One node, several, or all',
      'label_values(cloud_info{job="$job"}, instance)',
    ),
    includeAll: true,
    multi: true,
    current: { selected: true, text: ['All'], value: ['$__all'] },
  },
]

/** Returns the dashboard in the format of Grafana. */
export function grafanaBoard(): object {
  const panels: object[] = []
  let y = 0
  for (const { title, panels: list } of BOARD_SECTIONS) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y, w: COLUMNS, h: 1 },
      panels: [],
    })
    y += 1
    let x = 0
    let rowHeight = 0
    for (const panel of list) {
      const w = panel.width ?? WIDTHS[panel.type ?? 'timeseries']
      const h = HEIGHTS[panel.type ?? 'timeseries']
      if (x + w > COLUMNS) {
        x = 0
        y += rowHeight
        rowHeight = 0
      }
      panels.push(grafanaPanel(panels.length + 1, panel, { x, y, w, h }))
      x += w
      rowHeight = Math.max(rowHeight, h)
    }
    y += rowHeight
  }
  return {
    title: 'Glasses Cloud',
    uid: 'glasses-cloud',
    description:
      'Sessions, sockets, apps, speech, requests, storage and nodes of a Glasses Cloud. docs/monitoring.md explains the set-up and each alert.',
    tags: ['glasses-cloud'],
    schemaVersion: SCHEMA_VERSION,
    version: 1,
    editable: true,
    graphTooltip: 1,
    fiscalYearStartMonth: 0,
    timezone: '',
    time: { from: 'now-6h', to: 'now' },
    refresh: '30s',
    links: [],
    annotations: {
      list: [
        {
          name: 'Starts',
          enable: true,
          iconColor: 'blue',
          datasource: DATASOURCE,
          expr: 'changes(process_start_time_seconds{job="$job", instance=~"$instance"}[2m]) > 0',
          titleFormat: 'Start of {{instance}}',
        },
        {
          name: 'Alerts',
          enable: true,
          iconColor: 'red',
          datasource: DATASOURCE,
          expr: 'ALERTS{alertname=~"GlassesCloud.*", alertstate="firing"}',
          titleFormat: '{{alertname}}',
          textFormat: '{{instance}}',
        },
      ],
    },
    templating: { list: VARIABLES },
    panels,
  }
}

function grafanaPanel(id: number, panel: Panel, gridPos: object): object {
  const { type = 'timeseries', title, description, unit, queries, min, max, thresholds, mappings } = panel
  return {
    id,
    type,
    title,
    description,
    datasource: DATASOURCE,
    gridPos,
    fieldConfig: {
      defaults: {
        unit,
        ...(min !== undefined && { min }),
        ...(max !== undefined && { max }),
        color: { mode: type === 'stat' ? 'thresholds' : 'palette-classic' },
        thresholds: {
          mode: 'absolute',
          steps: [
            { color: 'green', value: null },
            ...(thresholds ?? []).map(([value, color]) => ({ value, color })),
          ],
        },
        mappings: (mappings ?? []).map(([value, text, color], index) => ({
          type: 'value',
          options: { [value]: { text, color, index } },
        })),
        ...(type === 'timeseries' && {
          custom: {
            drawStyle: 'line',
            lineWidth: 1,
            fillOpacity: panel.isStacked ? 30 : 5,
            showPoints: 'never',
            spanNulls: false,
            stacking: { mode: panel.isStacked ? 'normal' : 'none', group: 'A' },
          },
        }),
      },
      overrides: [],
    },
    options: OPTIONS[type],
    targets: queries.map(([expr, legendFormat], index) => ({
      refId: String.fromCharCode(65 + index),
      datasource: DATASOURCE,
      editorMode: 'code',
      expr,
      legendFormat,
      range: type === 'timeseries',
      instant: type !== 'timeseries',
      ...(type === 'table' && { format: 'table' }),
    })),
    ...(type === 'table' && {
      transformations: [
        { id: 'merge', options: {} },
        {
          id: 'organize',
          options: { excludeByName: { Time: true, Value: true, __name__: true, job: true } },
        },
      ],
    }),
  }
}

const OPTIONS = {
  stat: {
    colorMode: 'value',
    graphMode: 'area',
    justifyMode: 'auto',
    orientation: 'auto',
    textMode: 'auto',
    reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
  },
  timeseries: {
    legend: { displayMode: 'list', placement: 'bottom', showLegend: true, calcs: [] },
    tooltip: { mode: 'multi', sort: 'desc' },
  },
  table: { showHeader: true, cellHeight: 'sm' },
} as const

if (import.meta.main)
  await writeFile(
    join(import.meta.dirname, '../ops/monitoring/grafana-dashboard.json'),
    `${JSON.stringify(grafanaBoard(), undefined, 2)}\n`,
  )
