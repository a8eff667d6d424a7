import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { startPrometheusProcess } from '@glasses-cloud/cloud/test/prometheus-process'
import { CleanUpStack } from '@glasses-cloud/cloud/test/scope'
import { waitFor } from '@glasses-cloud/cloud/test/wait-for'
import { PROJECT } from './artifacts.ts'

/** What Prometheus scrapes. */
export interface Target {
  readonly address: string
  /** The name in the certificate. */
  readonly name: string
  /** The authority of the certificate, in PEM. */
  readonly authority: string
  /** `METRICS_TOKEN`. */
  readonly token: string
}

/** Returns the number of series that a query finds. @throws Error for an invalid query */
export type Query = (expr: string) => Promise<number>

/** Starts Prometheus with the files of `ops/monitoring`, in which it finds its addresses, files and a shorter interval. */
export async function startPrometheus(t: TestContext, target: Target): Promise<Query> {
  const cleanUp = new CleanUpStack(t)
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'))
  cleanUp.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const source = join(PROJECT, 'ops/monitoring')
  const replacements: [RegExp, string][] = [
    [/(scrape_interval|evaluation_interval): 15s/g, '$1: 300ms'],
    [/\/etc\/prometheus\//g, `${folder}/`],
    [/cloud\.example\.org/, target.name],
    [/- 10\.0\.0\.11:8443\n( +- 10\.0\.0\.1\d:8443\n)+/, `- ${target.address}\n`],
  ]
  const config = replacements.reduce(
    (text, [pattern, value]) => {
      if (text.search(pattern) < 0) throw new Error(`prometheus.yml does not contain ${pattern}`)
      return text.replace(pattern, value)
    },
    readFileSync(join(source, 'prometheus.yml'), 'utf8'),
  )
  writeFileSync(join(folder, 'prometheus.yml'), config)
  copyFileSync(join(source, 'alerts.yml'), join(folder, 'alerts.yml'))
  writeFileSync(join(folder, 'glasses-cloud-token'), target.token)
  writeFileSync(join(folder, 'glasses-cloud-ca.pem'), target.authority)
  const url = await startPrometheusProcess(cleanUp, folder)
  const query: Query = async (expr) => {
    const response = await fetch(`${url}/query?query=${encodeURIComponent(expr)}`)
    const { data, error } = (await response.json()) as { data?: { result: unknown[] }; error?: string }
    if (data === undefined) throw new Error(`${expr}: ${error}`)
    return data.result.length
  }
  await waitFor('a few scrapes', async () => (await query('count_over_time(cloud_ready[1m]) > 3')) > 0)
  return query
}
