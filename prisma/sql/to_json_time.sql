-- Returns a time as in JSON, such as 2026-11-26T10:30:00.000Z.
CREATE OR REPLACE FUNCTION "to_json_time"("at" timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char("at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
