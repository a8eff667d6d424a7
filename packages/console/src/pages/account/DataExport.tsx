import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Label } from 'react-aria-components/Label'
import { Link } from 'react-aria-components/Link'
import { ProgressBar } from 'react-aria-components/ProgressBar'
import {
  type DataExport as Export,
  type ExportFormat,
  exportsQuery,
  useRequestExport,
} from '../../api/account.ts'
import buttonStyles from '../../components/Button.module.css'
import { Button } from '../../components/Button.tsx'
import { Item, ItemList } from '../../components/ItemList.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { QueryState } from '../../components/States.tsx'
import { useAction } from '../../components/use-action.ts'
import { formatTime } from '../../format.ts'
import styles from './DataExport.module.css'

const STATUS_NAMES = {
  pending: 'Waiting to be prepared',
  processing: 'Being prepared',
  completed: 'Ready',
  failed: 'It could not be prepared. Try again.',
} as const

const FORMAT_NAMES = { json: 'JSON, for programs', csv: 'CSV, for spreadsheets' } as const

const FORMATS = (['json', 'csv'] as const).map((value) => ({ value, label: FORMAT_NAMES[value] }))

/** Prepares files with the user's data, shows their progress, and offers them for download. */
export function DataExport() {
  const [format, setFormat] = useState<ExportFormat>('json')
  const exports = useQuery(exportsQuery)
  const { run, isPending, error } = useAction(useRequestExport())
  return (
    <Card
      title="Your data"
      description="Everything that this cloud has stored about you, as one file. It is deleted after 24 hours."
    >
      <div className={styles.request}>
        <Select label="Format" options={FORMATS} value={format} onChange={setFormat} />
        <Button isPending={isPending} onPress={() => run(format)}>
          Prepare the file
        </Button>
      </div>
      {error !== undefined && <Notice tone="danger" title={error.message} />}
      <QueryState query={exports}>
        {(found) =>
          found.length > 0 && (
            <ItemList label="Prepared files">
              {found.map((each) => (
                <ExportItem key={each.id} item={each} />
              ))}
            </ItemList>
          )
        }
      </QueryState>
    </Card>
  )
}

function ExportItem({ item: { status, format, createdAt, downloadUrl } }: { readonly item: Export }) {
  const isInProgress = status === 'pending' || status === 'processing'
  return (
    <Item
      title={`${FORMAT_NAMES[format]}, requested ${formatTime(createdAt)}`}
      details={isInProgress ? <Progress label={STATUS_NAMES[status]} /> : STATUS_NAMES[status]}
      actions={
        downloadUrl !== undefined && (
          <Link href={downloadUrl} download className={`${buttonStyles.button} ${buttonStyles.primary}`}>
            Download
          </Link>
        )
      }
    />
  )
}

/** A bar for work whose end is not known. */
function Progress({ label }: { readonly label: string }) {
  return (
    <ProgressBar isIndeterminate className={styles.progress ?? ''}>
      <Label>{label}</Label>
      <div className={styles.track}>
        <div className={styles.fill} />
      </div>
    </ProgressBar>
  )
}
