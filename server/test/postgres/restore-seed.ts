import type pg from 'pg'
import { listTables } from '#db/open/copy-from-sqlite.ts'

/**
 * Prepares a template so that its copies can be restored: the schema `seed` contains the rows of all tables, and triggers record which
 * tables a test has changed. For positions, by far the most rows, the triggers record the trackers.
 */
export async function addRestore(client: Pick<pg.ClientBase, 'query'>) {
  await client.query(`
    create schema seed;
    create unlogged table seed.changes (id bigint generated always as identity, name text not null, device bigint);
    create function seed.note() returns trigger language plpgsql as $$
      begin
        if exists (select 1 from changed) then insert into seed.changes (name) values (tg_table_name); end if;
        return null;
      end $$;
    create function seed.note_positions() returns trigger language plpgsql as $$
      begin
        insert into seed.changes (name, device) select distinct 'positions', device_id from changed;
        return null;
      end $$;`)
  for (const name of [...listTables().map((table) => table.name), ...(await otherTables(client))]) {
    const note = name === 'positions' ? 'seed.note_positions()' : 'seed.note()'
    await client.query(`create table seed."${name}" as table public."${name}"`)
    for (const [event, rows] of EVENTS)
      await client.query(
        `create trigger seed_${event} after ${event} on public."${name}" referencing ${rows} table as changed for each statement execute function ${note}`,
      )
  }
  await client.query(`
    create index on seed.positions (device_id);
    create table seed.sequences as
      select schemaname || '.' || quote_ident(sequencename) as name, start_value, last_value from pg_sequences where schemaname = 'public';
    create view seed.relations as
      select md5(string_agg(relname, ',' order by relname)) as names from pg_class where relnamespace = 'public'::regnamespace;
    create table seed.relations_before as table seed.relations;
    create function seed.restore() returns void language plpgsql as $$
      declare changed text;
      begin
        if (select names from seed.relations) <> (select names from seed.relations_before) then raise 'The tables have changed.'; end if;
        set local session_replication_role = replica;
        delete from public.positions where device_id in (select device from seed.changes where name = 'positions');
        insert into public.positions select * from seed.positions where device_id in (select device from seed.changes where name = 'positions');
        for changed in select distinct name from seed.changes where name <> 'positions' loop
          execute format('delete from public.%I', changed);
          execute format('insert into public.%I select * from seed.%I', changed, changed);
        end loop;
        perform setval(name, coalesce(last_value, start_value), last_value is not null) from seed.sequences;
        delete from seed.changes;
      end $$;`)
}

/** Saves the current state of a template's copy; returns a function that restores it. */
export async function saveRows(pool: Pick<pg.Pool, 'query'>) {
  const { rows } = await pool.query("select distinct name from seed.changes where name <> 'positions'")
  const names = rows.map(({ name }) => `"${name}"`)
  await pool.query(`
    drop schema if exists saved cascade;
    create schema saved;
    create table saved.sequences as select name, last_value from seed.sequences where false;
    insert into saved.sequences
      select schemaname || '.' || quote_ident(sequencename), coalesce(last_value, start_value) from pg_sequences where schemaname = 'public';
    ${names.map((name) => `create table saved.${name} as table public.${name};`).join('')}`)
  return () =>
    pool.query(`
      begin;
      select seed.restore();
      set local session_replication_role = replica;
      ${names.map((name) => `delete from public.${name}; insert into public.${name} select * from saved.${name};`).join('')}
      insert into seed.changes (name) select unnest(array[${names.map((name) => `'${name.slice(1, -1)}'`).join(', ')}]::text[]);
      select setval(name, last_value) from saved.sequences;
      commit`)
}

const EVENTS = [
  ['insert', 'new'],
  ['update', 'new'],
  ['delete', 'old'],
] as const

/** Tables that only PostgreSQL has. */
async function otherTables(client: Pick<pg.ClientBase, 'query'>) {
  const known = listTables().map(({ name }) => name)
  const { rows } = await client.query(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition",
  )
  return rows.map(({ name }) => name as string).filter((name) => !known.includes(name))
}
