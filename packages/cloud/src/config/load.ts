import { existsSync } from 'node:fs'
import { type Config, readConfig } from './config.ts'

/**
 * Reads the settings of this process: its environment, and `.env` in the working directory for what the
 * environment leaves open.
 * @throws ConfigError naming every wrong value
 */
export function loadConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return readConfig(process.env)
}
