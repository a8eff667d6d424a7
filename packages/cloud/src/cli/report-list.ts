import { incidentFileKey } from '../features/incidents/index.ts'
import { argumentsOf, type Command, print, textOption, UsageError } from './command.ts'
import { type Operator, withOperator } from './operator.ts'
import { table } from './table.ts'

/** Something a phone told the operator. */
interface Report {
  readonly id: string
  readonly kind: 'feedback' | 'error' | 'incident'
  /** E-mail address; null where nobody is known to have sent it. */
  readonly user: string | null
  /** ISO 8601. */
  readonly createdAt: string
  /** As the phone sent it. */
  readonly content: unknown
  /** What was added to an incident. */
  readonly logs?: readonly unknown[]
  /** Files of an incident; `path` is theirs in the folder of blobs. */
  readonly files?: readonly { readonly filename: string; readonly mimeType: string; readonly path: string }[]
}

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 1_000

/** Characters of a report that its row shows. */
const PREVIEW = 80

/** What phones told the operator, the newest first. */
export const reportList: Command = {
  name: 'report list',
  args: '[--json] [--limit NUMBER]',
  summary: 'List what phones reported: feedback, errors and incidents, the newest first',
  details: [
    '--json          everything, logs and the places of files included',
    `--limit NUMBER  how many, 1 to ${MAX_LIMIT}; default: ${DEFAULT_LIMIT}`,
  ],
  options: { json: { type: 'boolean' }, limit: { type: 'string' } },
  async run(input) {
    argumentsOf(input, [])
    const limit = Number(textOption(input, 'limit') ?? DEFAULT_LIMIT)
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
      throw new UsageError(`--limit must be a whole number from 1 to ${MAX_LIMIT}`)
    }
    const reports = await withOperator(input.config(), (operator) => newest(operator, limit))
    if (input.values.json === true) print(input, JSON.stringify(reports))
    else {
      const rows = reports.map(({ createdAt, kind, user, content }) => {
        return [createdAt, kind, user ?? '-', preview(content)]
      })
      print(input, table([['CREATED', 'KIND', 'USER', 'SAYS'], ...rows]))
    }
    return undefined
  },
}

async function newest({ phoneReports, incidents }: Operator, limit: number): Promise<Report[]> {
  const reports = await phoneReports.newest(limit)
  const sent = await incidents.newest(limit)
  const all = [
    ...reports.map(({ createdAt, id, kind, sender, content }) => ({
      createdAt,
      read: async (): Promise<Report> => ({ id, kind, user: sender, createdAt: iso(createdAt), content }),
    })),
    ...sent.map(({ createdAt, id, sender, userId, ...content }) => ({
      createdAt,
      read: async (): Promise<Report> => ({
        id,
        kind: 'incident',
        user: sender,
        createdAt: iso(createdAt),
        content,
        logs: await incidents.logsOf(id),
        files: (await incidents.filesOf(id)).map(({ id: file, filename, mimeType }) => {
          return { filename, mimeType, path: incidentFileKey(userId, id, file) }
        }),
      }),
    })),
  ]
  all.sort((one, other) => other.createdAt - one.createdAt)
  const read: Report[] = []
  for (const report of all.slice(0, limit)) read.push(await report.read())
  return read
}

/** What was said, in one line that a terminal can show. */
function preview(content: unknown): string {
  const said =
    typeof content === 'object' && content !== null && 'feedback' in content ? content.feedback : content
  const line = (typeof said === 'string' ? said : JSON.stringify(said)).replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return line.length > PREVIEW ? `${line.slice(0, PREVIEW - 1)}…` : line
}

function iso(time: number): string {
  return new Date(time).toISOString()
}
