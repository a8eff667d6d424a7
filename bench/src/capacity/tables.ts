import { formatNumber } from '../figure.ts'
import type { Measurement } from './capacity.ts'
import { ACTIONS, type Cost, needs, predict } from './model.ts'

const WEARERS = [10_000, 100_000, 1_000_000]

const ACTION_NAMES = {
  openSession: 'open a session (glasses connect)',
  startApp: 'stop and start an app',
  audioFrame: 'audio frame to an app',
  audioFrameRelayed: 'the same, app on another node',
  buttonPress: 'button press to an app',
  buttonPressRelayed: 'the same, app on another node',
  listApps: '`GET /api/apps`',
  writeSetting: '`POST /api/client/user/settings`',
} as const

/** Formats a measurement, and what follows from it, as tables for `docs/capacity.md`. */
export function formatTables(measurement: Measurement): string {
  const { costs, points, measuredAt, loadAverage, bareFrameMicros } = measurement
  const row = (name: string, { cpuMicros, transactions, rowsWritten, redisCommands, redisBytes }: Cost) =>
    line(name, formatNumber(cpuMicros), ...[transactions, rowsWritten, redisCommands, redisBytes].map(round))
  const needed = WEARERS.map((wearers) => needs(costs, wearers))
  const need = (name: string, key: keyof (typeof needed)[number]) =>
    line(name, ...needed.map((one) => Math.ceil(one[key]).toLocaleString('en-US')))
  return `
Measured ${measuredAt.slice(0, 10)} at a load average of ${formatNumber(loadAverage)}. An audio frame costs ${formatNumber(costs.actions.audioFrame.cpuMicros / bareFrameMicros)} times
as much processor time as with bare \`ws\` in the same run (${formatNumber(bareFrameMicros)} µs).

| Action | Processor, µs | Transactions | Rows written | Redis commands | Redis bytes |
|---|---|---|---|---|---|
${ACTIONS.map((action) => row(ACTION_NAMES[action], costs.actions[action])).join('\n')}
${row('a node, each second', costs.idleNode)}
${row('a silent session with an app, each second', costs.idleSession)}

Memory of a session with one app: ${formatNumber(costs.sessionBytes / 1_024)} KB resident.

| Point | Sessions | Processor, ms: measured, predicted | Redis commands | Redis KB |
|---|---|---|---|---|
${points
  .map(({ situation, measured }, index) => {
    const predicted = predict(costs, situation)
    const both = (key: keyof Cost, unit: number) =>
      `${Math.round(measured[key] / unit)}, ${Math.round(predicted[key] / unit)}`
    return line(
      String(index + 1),
      String(situation.sessions),
      both('cpuMicros', 1_000),
      both('redisCommands', 1),
      both('redisBytes', 1_000),
    )
  })
  .join('\n')}

| Connected wearers | ${WEARERS.map((wearers) => wearers.toLocaleString('en-US')).join(' | ')} |
|---|---|---|---|
${need('nodes of one core', 'nodes')}
${need('memory of the sessions, GB', 'sessionGigabytes')}
${need('PostgreSQL transactions a second', 'transactionsPerSecond')}
${need('rows written a second', 'rowsPerSecond')}
${need('Redis commands a second', 'redisCommandsPerSecond')}
${need('Redis, Mbit/s', 'redisMegabitsPerSecond')}
${need('audio from glasses, Mbit/s; as much to the apps', 'audioMegabitsPerSecond')}

`
}

const line = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** Counts, which may be fractions: batches carry several messages. */
const round = (value: number) => String(Number(formatNumber(Math.max(0, value))))
