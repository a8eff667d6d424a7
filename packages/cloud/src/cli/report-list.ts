import { cutText } from '@glasses-cloud/contract'
import { type IncidentContent, incidentFileKey, type SentIncident } from '../features/incidents/index.ts'
import { type Command, formatTable, print, readArguments, textOption, UsageError } from './command.ts'
import { type Operator, withOperator } from './operator.ts'

/** A report in the output. */
interface Report {
  readonly id: string
  readonly kind: 'feedback' | 'error' | 'incident'
  /** E-mail address; null for anonymous reports. */
  readonly user: string | null
  /** ISO 8601. */
  readonly createdAt: string
  /** Unchanged, as the phone sent it. */
  readonly content: unknown
  /** Logs of an incident. */
  readonly logs?: readonly unknown[]
  /** Attachments of an incident; `path` is relative to the blob folder. */
  readonly files?: readonly { readonly filename: string; readonly mimeType: string; readonly path: string }[]
}

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 1_000

/** Characters of a report in the table. */
const PREVIEW_LENGTH = 80

export const reportList: Command = {
  name: 'report list',
  args: '[--json] [--limit NUMBER]',
  summary: 'List reports from phones (feedback, errors and incidents), newest first',
  details: [
    '--json          full reports, including logs and paths of attachments',
    `--limit NUMBER  number of reports, 1 to ${MAX_LIMIT}; default: ${DEFAULT_LIMIT}`,
  ],
  options: { json: { type: 'boolean' }, limit: { type: 'string' } },
  async run(input) {
    readArguments(input, [])
    const limit = Number(textOption(input, 'limit') ?? DEFAULT_LIMIT)
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
      throw new UsageError(`--limit must be an integer from 1 to ${MAX_LIMIT}`)
    }
    const reports = await withOperator(input.config(), (operator) => loadNewest(operator, limit))
    if (input.values.json === true) print(input, JSON.stringify(reports))
    else {
      const rows = reports.map(({ createdAt, kind, user, content }) => {
        return [createdAt, kind, user ?? '-', preview(content)]
      })
      print(input, formatTable([['CREATED', 'KIND', 'USER', 'CONTENT'], ...rows]))
    }
  },
}

async function loadNewest({ phoneReports, incidents }: Operator, limit: number): Promise<Report[]> {
  const reports = await phoneReports.listNewest(limit)
  const found = await incidents.listNewest(limit)
  const all = [
    ...reports.map(({ createdAt, id, kind, sender, content }) => ({
      createdAt,
      load: async (): Promise<Report[]> => [
        { id, kind, user: sender, createdAt: toIsoString(createdAt), content },
      ],
    })),
    ...found.map((incident) => ({
      createdAt: incident.createdAt,
      load: async () => (await incidents.withContent([incident])).map(toReport),
    })),
  ]
  all.sort((one, other) => other.createdAt - one.createdAt)
  const loaded: Report[] = []
  for (const report of all.slice(0, limit)) loaded.push(...(await report.load()))
  return loaded
}

function toReport({
  id,
  sender,
  userId,
  createdAt,
  logs,
  files,
  ...content
}: SentIncident & IncidentContent): Report {
  return {
    id,
    kind: 'incident',
    user: sender,
    createdAt: toIsoString(createdAt),
    content,
    logs,
    files: files.map(({ id: file, filename, mimeType }) => {
      return { filename, mimeType, path: incidentFileKey(userId, id, file) }
    }),
  }
}

/** Returns the start of the content as one line without control characters. */
function preview(content: unknown): string {
  const text =
    typeof content === 'object' && content !== null && 'feedback' in content ? content.feedback : content
  const line = (typeof text === 'string' ? text : JSON.stringify(text)).replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return line.length > PREVIEW_LENGTH ? `${cutText(line, PREVIEW_LENGTH - 1)}…` : line
}

function toIsoString(time: number): string {
  return new Date(time).toISOString()
}
