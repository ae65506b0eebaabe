-- Returns an id in the format of newId(). The random part is hexadecimal, which its alphabet includes.
CREATE OR REPLACE FUNCTION "new_id"("prefix" text, "at" timestamptz) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  letters CONSTANT text := '0123456789abcdefghjkmnpqrstvwxyz';
  rest bigint := floor(extract(epoch FROM "at") * 1000);
  stamp text := '';
BEGIN
  FOR i IN 1..10 LOOP
    stamp := substr(letters, (rest % 32)::int + 1, 1) || stamp;
    rest := rest / 32;
  END LOOP;
  RETURN "prefix" || '_' || stamp || right(replace(gen_random_uuid()::text, '-', ''), 16);
END $$;
