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
import { QueryState } from '../../components/QueryState.tsx'
import { EmptyState } from '../../components/States.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { formatTime } from '../../format.ts'
import styles from './ReportsPage.module.css'
import { reportsTexts as texts } from './reports.texts.ts'

/** What users and phones reported. */
export function ReportsPage() {
  const reports = useQuery(reportsQuery)
  const incidents = useQuery(incidentsQuery)
  return (
    <Card>
      <Tabs
        name="kind"
        label={texts.kindsLabel}
        items={[
          {
            id: 'phones',
            title: texts.phones,
            content: <Reports query={reports} empty={texts.empty} />,
          },
          {
            id: 'incidents',
            title: texts.incidents,
            content: <Reports query={incidents} empty={texts.noIncidents} />,
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
            {reports.length >= REPORTS && <p className="muted">{texts.newest}</p>}
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
  const sender = email ?? texts.unknownSender
  return (
    <details className={styles.report}>
      <summary>
        <span>{texts.report(texts.kinds[kind], sender)}</span>{' '}
        <time className="muted" dateTime={createdAt}>
          {formatTime(createdAt)}
        </time>
      </summary>
      {files.length > 0 && (
        <ul className={styles.files} aria-label={texts.files}>
          {files.map((file) => (
            <li key={file.id}>
              <a href={incidentFileUrl(id, file)} download={file.filename}>
                {texts.download(file.filename)}
              </a>
            </li>
          ))}
        </ul>
      )}
      <CodeBlock label={texts.content} code={JSON.stringify(content, null, 2)} />
    </details>
  )
}
