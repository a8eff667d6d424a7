import { S3Server } from '@glasses-cloud/cloud/s3-server'

// An S3-compatible server in memory; sends its settings to the benchmark.

const server = await S3Server.start()
process.send?.(server.env)
