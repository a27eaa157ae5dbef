import pg from 'pg'
import { distribute, type Plan } from '#db/postgres/distributed/distribute.ts'
import { createHosts } from '#db/postgres/hosts/hosts.ts'

/** Distributes the tables that grow with positions over the workers of the cluster whose coordinator has the address `url`. */
export async function distributeDatabase(url: string, options: Parameters<typeof distribute>[1]): Promise<Plan> {
  const hosts = createHosts(url)
  const client = new pg.Client({ connectionString: await hosts.find(), application_name: 'distribute', keepAlive: true })
  await client.connect()
  try {
    return await distribute(client, options)
  } finally {
    await client.end()
    hosts.close()
  }
}
