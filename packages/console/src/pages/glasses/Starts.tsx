import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { appLogsQuery } from '../../api/app-log.ts'
import { Card } from '../../components/Page.tsx'
import { formatClock } from '../../format.ts'
import { type AppStart, findStarts, type StartTimeline } from '../../simulator/start-timeline.ts'
import { recordingTexts } from './recording.texts.ts'
import { StartPicture } from './StartPicture.tsx'
import styles from './Starts.module.css'

const texts = recordingTexts.starts

/** Starts that are shown. */
const MAX_STARTS = 5

/** The latest starts of apps, each as a timeline. */
export function Starts({ noticed }: { readonly noticed: StartTimeline['moments'] }) {
  const packageNames = [...new Set(noticed.map(({ packageName }) => packageName))].sort()
  const logs = useQuery(appLogsQuery(packageNames, noticed.length))
  const starts = useMemo(() => findStarts(noticed, logs.data).slice(0, MAX_STARTS), [noticed, logs.data])
  return (
    <Card title={texts.title} description={texts.description}>
      {starts.length === 0 ? (
        <p className="muted">{texts.none}</p>
      ) : (
        starts.map((start) => <Start key={`${start.packageName} ${start.moments[0]?.at}`} start={start} />)
      )}
    </Card>
  )
}

/** A start: what took how long as a picture, and every moment in words. */
function Start({ start: { packageName, moments } }: { readonly start: AppStart }) {
  const first = moments[0]?.at ?? 0
  return (
    <section className={styles.start} aria-label={packageName}>
      <h3>
        {packageName} <span className="muted">{formatClock(Math.floor(first))}</span>
      </h3>
      <StartPicture packageName={packageName} moments={moments} />
      <ol>
        {moments.map(({ at, kind, detail }) => (
          <li key={`${at} ${kind}`}>
            <span>{texts.after(at - first)}</span>
            <span>
              {detail === undefined ? texts.moments[kind] : texts.detail(texts.moments[kind], detail)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
