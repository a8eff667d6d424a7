import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CleanUpStack, type Scope } from '../support/scope.ts'
import { waitFor } from '../support/wait-for.ts'
import { MONITORING_FOLDER } from './monitoring-files.ts'
import { startPrometheusProcess } from './prometheus-process.ts'

/** How often the test's Prometheus scrapes and evaluates. */
const INTERVAL = '300ms'

/** A Prometheus with the rules of this project, in which minutes are seconds. */
export interface PrometheusServer {
  /** Names of the alerts that fire, sorted. */
  firing(): Promise<string[]>
  /** Resolves once no alert fires. @throws Error at the deadline */
  waitForNone(): Promise<void>
  /** Returns the alert once it fires. @throws Error at the deadline */
  waitForAlert(name: string): Promise<FiringAlert>
}

interface FiringAlert {
  readonly state: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

/** Starts the program `prometheus` that scrapes a cloud with a token; the scope ends it. Resolves once it has scraped. */
export async function startPrometheus(
  scope: Scope,
  target: string,
  token: string,
): Promise<PrometheusServer> {
  const cleanUp = new CleanUpStack(scope)
  const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-prometheus-'))
  cleanUp.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const rules = await readFile(join(MONITORING_FOLDER, 'alerts.yml'), 'utf8')
  await writeFile(
    join(folder, 'alerts.yml'),
    rules
      .replaceAll(/for: \d+[mh]/g, 'for: 1s')
      .replaceAll(/\[\d+[mh]\]/g, '[10s]')
      // What other tests write within seconds would fill the disk in two days.
      .replaceAll('2 * 24 * 3600', '10'),
  )
  await writeFile(join(folder, 'token'), token, { mode: 0o600 })
  // JSON is YAML.
  const config = {
    global: {
      scrape_interval: INTERVAL,
      scrape_timeout: INTERVAL,
      evaluation_interval: INTERVAL,
      external_labels: { docs: 'https://docs.example.org/' },
    },
    rule_files: ['alerts.yml'],
    scrape_configs: [
      {
        job_name: 'glasses-cloud',
        scrape_timeout: INTERVAL,
        authorization: { credentials_file: 'token' },
        static_configs: [{ targets: [target] }],
      },
    ],
  }
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const url = await startPrometheusProcess(cleanUp, folder)
  const get = async <Data>(path: string) => {
    const response = await fetch(`${url}/${path}`)
    return ((await response.json()) as { data: Data }).data
  }
  const alerts = async () =>
    (await get<{ alerts: FiringAlert[] }>('alerts')).alerts.filter(({ state }) => state === 'firing')
  await waitFor('the first scrape', async () => {
    const { result } = await get<{ result: { value: [number, string] }[] }>('query?query=cloud_ready')
    return result.length > 0
  })
  return {
    firing: async () => [...new Set((await alerts()).map(({ labels }) => String(labels.alertname)))].sort(),
    waitForNone: async () => {
      await waitFor('the end of all alerts', async () => (await alerts()).length === 0)
    },
    waitForAlert: (name) =>
      waitFor(`the alert ${name}`, async () =>
        (await alerts()).find(({ labels }) => labels.alertname === name),
      ),
  }
}
