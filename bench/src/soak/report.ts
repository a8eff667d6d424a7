import { cpus, loadavg, totalmem } from 'node:os'
import { formatTable } from '../figure.ts'
import { type MemoryTrend, toMegabytes } from './memory.ts'
import type { LatencySummary } from './records.ts'
import type { SoakReport } from './soak.ts'

/** Tables and findings in the report. */
const MAX_ROWS = 20
const MAX_LINE_LENGTH = 500

/** Describes the result of a soak as a document in Markdown. */
export function describeReport(report: SoakReport): string {
  const { actions, findings, lives, growth } = report
  const at = (ms: number) => formatTime(ms - report.startedAt.getTime())
  const total = Object.values(actions).reduce((sum, count) => sum + count, 0)
  const lifeRows = lives.map(({ node, from, until, resident, live, processorShare, fileDescriptors }) => [
    node,
    `${at(from)} – ${at(until)}`,
    `${format(resident.earlySessions)} – ${format(resident.lateSessions)}`,
    ...[live, resident].map(describeTrend),
    `${(processorShare * 100).toFixed(0)} %`,
    String(fileDescriptors),
  ])
  const sections = [
    '# Soak',
    '',
    `Written by \`npm run soak -- --report FILE\` (\`bench/src/soak/\`): ${Math.round(report.durationMs / 60_000)} minutes, ` +
      `${report.sessions} sessions with a running app, ${report.nodes} ${report.nodes === 1 ? 'node on SQLite' : 'nodes on PostgreSQL and Redis'}, ` +
      `begun ${report.startedAt.toISOString()}, seed ${report.seed}. Node ${process.version}, ${cpus().length} cores, ` +
      `${Math.round(totalmem() / 1024 ** 3)} GiB of memory, which the load, ${report.nodes === 1 ? '' : 'PostgreSQL, Redis '}and the nodes shared; load average at the end ${loadavg()[0]?.toFixed(1)}.`,
    '',
    `**${report.passed ? 'Passed' : 'Failed'}.**`,
    '',
    '## Nothing is lost',
    '',
    `The cloud acknowledged ${format(report.acknowledgedWrites)} writes: storage of apps, settings, and photos.`,
    '',
    ...report.lost.map(
      ({ place, keys }) =>
        `- Looked for in ${place}: ${keys.length === 0 ? 'all are there' : `**${keys.length} are lost**: ${keys.slice(0, MAX_ROWS).join(', ')}`}.`,
    ),
    `- Scheduled backups in the meantime, each verified by a restore: ${report.scheduledBackups}.`,
    '',
    '## What was found',
    '',
    findings.length === 0
      ? 'No error in a log or response with status 500 but those below, which a fault explains, and no request that failed while the cloud was undisturbed.'
      : findings
          .slice(0, MAX_ROWS)
          .map((finding) => `- \`${finding.slice(0, MAX_LINE_LENGTH)}\``)
          .join('\n'),
    '',
    '## Memory',
    '',
    'Of each process that ran long enough: the medians of the second and of the last quarter of its life, and the growth between ' +
      'them at a constant number of sessions (a node takes over the sessions of killed ones). In use is the heap of JavaScript ' +
      'and what it refers to outside; resident memory also contains what the allocator keeps for later.',
    '',
    formatTable(
      ['Node', 'Life', 'Sessions', 'In use', 'Resident', 'Of one core', 'File descriptors'],
      lifeRows,
    ),
    '',
    '## Delays',
    '',
    'In ms, measured in the process that makes the load. Undisturbed is the time from 15 s after one fault to the next one.',
    '',
    formatTable(
      ['', 'Undisturbed: number', 'median', '99 %', 'most', 'Disturbed: number', 'median', '99 %', 'most'],
      delayRows(report.calm, report.disturbed),
    ),
    '',
    '## What disturbed the cloud',
    '',
    formatTable(
      ['After', 'For', 'What', 'Errors that it explains'],
      report.incidents.map(({ name, from, until, errors }) => [
        at(from),
        until === undefined ? 'not ended' : `${((until - from) / 1_000).toFixed(1)} s`,
        name,
        String(errors),
      ]),
    ),
    '',
    '## Load',
    '',
    `${format(total)} actions, ${format(report.pressesReceived)} button presses that reached an app.`,
    '',
    formatTable(
      ['Action', 'Number'],
      Object.entries(actions)
        .sort(([, a], [, b]) => b - a)
        .map(([name, count]) => [name, format(count)]),
    ),
  ]
  if (growth.length > 0)
    sections.push(
      '',
      '## What is stored',
      '',
      'Rows by table, after a quarter of the time and at the end; the largest.',
      '',
      formatTable(
        ['', 'After a quarter', 'At the end'],
        growth.slice(0, MAX_ROWS).map(({ name, early, late }) => [name, format(early), format(late)]),
      ),
    )
  return `${sections.join('\n')}\n`
}

function delayRows(calm: readonly LatencySummary[], disturbed: readonly LatencySummary[]): string[][] {
  const names = [...new Set([...calm, ...disturbed].map(({ name }) => name))].sort()
  const cells = (summary: LatencySummary | undefined) =>
    summary
      ? [format(summary.count), ...[summary.p50, summary.p99, summary.max].map((ms) => ms.toFixed(0))]
      : ['0', '–', '–', '–']
  return names.map((name) => [
    name,
    ...cells(calm.find((summary) => summary.name === name)),
    ...cells(disturbed.find((summary) => summary.name === name)),
  ])
}

function describeTrend({ earlyBytes, lateBytes, growthBytes, isFlat }: MemoryTrend): string {
  const [early, late, growth] = [earlyBytes, lateBytes, growthBytes].map(toMegabytes)
  const verdict = isFlat === undefined ? 'too short for a verdict' : isFlat ? 'flat' : '**growing**'
  return `${early} – ${late} MB, growth ${growth} MB: ${verdict}`
}

function format(count: number): string {
  return Math.round(count).toLocaleString('en-US')
}

/** Hours, minutes and seconds since the start. */
function formatTime(ms: number): string {
  return new Date(Math.max(0, ms)).toISOString().slice(11, 19)
}
