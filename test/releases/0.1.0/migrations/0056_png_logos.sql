-- A logo is a PNG.
delete from app_logo where media_type <> 'image/png';
alter table app_logo drop column media_type;
