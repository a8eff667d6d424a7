import { existsSync } from 'node:fs'
import { type Config, readConfig } from './config.ts'

/**
 * Reads the settings of this process from its environment, and unset variables from `.env` in the working directory.
 * @throws ConfigError with one problem for each invalid value
 */
export function loadConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return readConfig(process.env)
}
