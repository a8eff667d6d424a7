import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import {
  type AdminReport,
  filesOf,
  incidentFileUrl,
  incidentsQuery,
  REPORTS,
  reportsQuery,
} from '../../api/administration.ts'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { Card } from '../../components/Page.tsx'
import { EmptyState, QueryState } from '../../components/States.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { formatTime } from '../../format.ts'
import styles from './ReportsPage.module.css'

const KINDS = { feedback: 'Feedback', error: 'Error', incident: 'Incident' } as const

/** What users and phones reported. */
export function ReportsPage() {
  const reports = useQuery(reportsQuery)
  const incidents = useQuery(incidentsQuery)
  return (
    <Card>
      <Tabs
        name="kind"
        label="Kinds of reports"
        items={[
          {
            id: 'phones',
            title: 'Feedback and errors',
            content: (
              <Reports
                query={reports}
                empty={{ title: 'No reports', hint: 'Feedback and errors that phones report appear here.' }}
              />
            ),
          },
          {
            id: 'incidents',
            title: 'Incidents',
            content: (
              <Reports
                query={incidents}
                empty={{
                  title: 'No incidents',
                  hint: 'Incidents that users report with their phone appear here.',
                }}
              />
            ),
          },
        ]}
      />
    </Card>
  )
}

interface ReportsProps {
  readonly query: UseQueryResult<AdminReport[]>
  readonly empty: { readonly title: string; readonly hint: string }
}

function Reports({ query, empty }: ReportsProps) {
  return (
    <QueryState query={query} skeleton="rows">
      {(reports) =>
        reports.length === 0 ? (
          <EmptyState title={empty.title}>
            <p>{empty.hint}</p>
          </EmptyState>
        ) : (
          <>
            {reports.length >= REPORTS && <p className="muted">The newest 50.</p>}
            {reports.map((report) => (
              <Report key={report.id} report={report} />
            ))}
          </>
        )
      }
    </QueryState>
  )
}

function Report({ report }: { readonly report: AdminReport }) {
  const { id, kind, email, createdAt, content } = report
  const files = filesOf(report)
  const sender = email ?? 'Unknown sender'
  return (
    <details className={styles.report}>
      <summary>
        <span>
          {KINDS[kind]} of {sender}
        </span>{' '}
        <time className="muted" dateTime={createdAt}>
          {formatTime(createdAt)}
        </time>
      </summary>
      {files.length > 0 && (
        <ul className={styles.files} aria-label="Files">
          {files.map((file) => (
            <li key={file.id}>
              <a href={incidentFileUrl(id, file)} download={file.filename}>
                Download {file.filename}
              </a>
            </li>
          ))}
        </ul>
      )}
      <CodeBlock label="Content" code={JSON.stringify(content, null, 2)} />
    </details>
  )
}
